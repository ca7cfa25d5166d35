// A good scenario for the tests of the language: the one of the design, word for word.

export const GOOD_SCENARIO = `# yaml-language-server: $schema=../../docs/scenario.schema.json
version: 1
name: client hangs up on an endless stream
about: A router that keeps reading after its client has gone keeps paying.
source: 003, current main reproduction
tags: [disconnect, billing]
system: { card: reference-router, settings: {}, instances: 1 }     # or just the card's name
tests: none                                             # which bound this one tests: none of them
upstreams:
  model: { endless: { every: 100ms } }
clients:
  alice:
    account: { balance: 10000 }
    script:
      - request: chat
      - receive: { events: 3, or-after: 2s }
      - await: { renewals: 1, within: 2 renewals }      # waits for an observation; does not apply without a ledger
      - disconnect: { how: fin }
        mark: gone
# faults: [ { after: gone, ledger-lock: { for: 3s } } ]   # where a scenario needs one
watch: 3 renewals
expect:
  - upstream-closed: { upstream: model, after: gone, within: 2s }
  - billing-terminal: { client: alice, after: gone, within: 5s }
  - renewal-stopped: { client: alice, after: gone }
  - nothing-reserved: { client: alice }
  - no-late-charge: { client: alice }
  - refundable: { client: alice }
  - clean-shutdown: { within: 10s }
catches: { ignores-disconnect: [upstream-closed, renewal-stopped, refundable] }
`;

/** A smaller one, into which a test puts what is wrong. Lines are counted, so they must not move. */
export const scenarioWith = (parts: Readonly<Record<string, string>>): string => {
  const all: Record<string, string> = {
    version: 'version: 1',
    name: 'name: small',
    system: 'system: reference-router',
    matrix: '',
    upstreams: 'upstreams: { model: endless }',
    clients: 'clients: { alice: { account: { balance: 1 }, script: [request: chat, { disconnect: fin, mark: gone }] } }',
    faults: '',
    expect: 'expect: [clean-shutdown, upstream-closed: { upstream: model, within: 2s }]',
    catches: '',
    ...parts,
  };
  return `${Object.values(all).join('\n')}\n`;
};
