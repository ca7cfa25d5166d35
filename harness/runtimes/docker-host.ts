// What DOCKER_HOST may say. The library takes what it does not know for a host it can ask over HTTP, and goes on to the machine's own
// engine when nothing comes of that, so it is told before.

/** By what an engine is asked here. */
const SPOKEN = new Set(['unix:', 'tcp:', 'http:', 'https:', 'npipe:']);

/** Why it cannot be asked, and what to do. */
export type Unspoken = { readonly why: string; readonly hint: string };

const tunnelTo = ({ username, hostname, port }: URL): string =>
  `ssh -nNT -L /tmp/their-engine.sock:/var/run/docker.sock ${port === '' ? '' : `-p ${port} `}${username === '' ? '' : `${username}@`}${hostname}`;

/** @param asked as the environment has it. @returns null: it can be asked, or none is named */
export const unspokenHost = (asked: string | undefined): Unspoken | null => {
  if (asked === undefined || asked === '') return null;
  const address = URL.parse(asked);
  if (address !== null && SPOKEN.has(address.protocol)) return null;
  if (address?.protocol === 'ssh:')
    return {
      why: `DOCKER_HOST=${asked}, and ssh:// is not spoken here`,
      hint: `make a tunnel (${tunnelTo(address)}) and set DOCKER_HOST=unix:///tmp/their-engine.sock; --runtime process needs none`,
    };
  return {
    why: `DOCKER_HOST=${asked} is no address of an engine`,
    hint: 'set DOCKER_HOST to unix:///path/of/a.sock or tcp://host:port; --runtime process needs none',
  };
};
