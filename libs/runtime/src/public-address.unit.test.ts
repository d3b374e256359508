import { describe, expect, it } from 'vitest';
import { addressRange, isCloudAddress, isPublicAddress } from './public-address.js';

describe('a public address', () => {
  it.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '192.167.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.0.3'],
    ['loopback', '::1'],
    ['unspecified', '0.0.0.0'],
    ['unspecified', '::'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['private', 'fd12::1'],
    ['of a carrier', '100.64.0.1'],
    ['link-local, such as that of cloud metadata', '169.254.169.254'],
    ['link-local', 'fe80::1'],
    ['link-local', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['of a cloud', '168.63.129.16'],
    ['of a cloud', '::ffff:168.63.129.16'],
    ['of a cloud', '64:ff9b::a83f:8110'],
    ['for documentation', '192.0.2.1'],
    ['for documentation', '2001:db8::1'],
    ['for benchmarks', '198.18.0.1'],
    ['an IPv4 address in IPv6', '::ffff:127.0.0.1'],
    ['an IPv4 address in IPv6', '::ffff:a00:1'],
    ['an IPv4 address in IPv6, the old way', '::7f00:1'],
    ['a private address behind NAT64', '64:ff9b::7f00:1'],
    ['a private address behind NAT64', '64:ff9b::a9fe:a9fe'],
    ['NAT64 of a network of its own', '64:ff9b:1::1'],
    ['for benchmarks', '2001:2::1'],
    ['of protocols', '192.0.0.8'],
    ['anycast to the nearest relay', '192.0.0.9'],
    ['anycast to the nearest relay', '2001:1::1'],
    ['of cloud metadata', '100.100.100.200'],
    ['of cloud metadata', 'fd00:ec2::254'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['no address', 'localhost'],
    ['no address', ''],
  ])('is none that is %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a network that counts as private', () => {
  const networks = ['8.8.8.0/24', '2606:4700::/32', '9.9.9.9'].map(addressRange).filter((range) => range !== undefined);

  it.each(['8.8.8.1', '::ffff:8.8.8.1', '64:ff9b::808:801', '2606:4700::1111', '9.9.9.9'])('has %s', (address) => {
    expect(isPublicAddress(address, networks)).toBe(false);
  });

  it.each(['8.8.9.1', '2607:4700::1', '9.9.9.8'])('has no %s', (address) => {
    expect(isPublicAddress(address, networks)).toBe(true);
  });

  it.each(['', 'example.com', '10.0.0.0/33', '10.0.0.0/'])('is not named by %j', (text) => {
    expect(addressRange(text)).toBeUndefined();
  });
});

describe('an address of a cloud’s service for its machines', () => {
  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:100::100:200',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    'fe80::a9fe:a9fe',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ])('is %s', (address) => expect(isCloudAddress(address)).toBe(true));

  it.each(['127.0.0.1', '10.0.0.1', '8.8.8.8', 'fd00::1', '::1', 'fe80::1', 'not an address'])('is not %s', (address) =>
    expect(isCloudAddress(address)).toBe(false),
  );
});
