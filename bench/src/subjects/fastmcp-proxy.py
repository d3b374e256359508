"""FastMCP's own proxy before a server: python fastmcp-proxy.py URL PORT"""

import sys

from fastmcp.server import create_proxy

create_proxy(sys.argv[1], name="proxy").run(
    transport="http", host="127.0.0.1", port=int(sys.argv[2]), log_level="warning", show_banner=False
)
