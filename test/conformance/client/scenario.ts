/** What the suite gives the client beside the server's address. */
export type ScenarioContext = Readonly<Record<string, unknown>>;

/** What the client does with the server of a scenario. */
export type Scenario = (url: string, context: ScenarioContext) => Promise<void>;
