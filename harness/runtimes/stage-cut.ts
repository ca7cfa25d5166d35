// Cuts one address of a stage off from all others, both ways and without a sign, and ends that again. Its
// packets are sent into one end of a cable whose other end nobody listens at. To take the address away would not
// do: whoever connects then is told at once that there is no way, and so he is by blackhole routes.
import { ip } from './stage-network.ts';

const TABLE = 213;
const CABLE = 'cut';
/** Rules are asked in this order. The kernel asks its table of local addresses first: that rule is moved behind ours. */
const CUT_ORDER = 10;
const LOCAL_ORDER = 100;

/** @param system source of connections that do not choose one, as otherwise */
const layCable = (system: string): Promise<void> => ip([
  `link add ${CABLE} type veth peer name ${CABLE}-end`,
  `link set ${CABLE} arp off up`,
  `route add default dev ${CABLE} src ${system} table ${TABLE}`,
  `rule add table local pref ${LOCAL_ORDER}`,
  'rule del pref 0 table local',
]);

export type Cuts = {
  /** The stage has a network of its own. Without one the rules would be this machine's. @param system see `layCable` */
  readonly allow: (system: string) => void;
  /** @throws Error with the words of `ip`, or where there is no own network; nothing is cut then */
  readonly cut: (address: string) => Promise<void>;
  /** @throws Error where it was not cut off */
  readonly heal: (address: string) => Promise<void>;
};

export const createCuts = (): Cuts => {
  const cut = new Set<string>();
  let source: string | undefined;
  let cable: Promise<void> | undefined;
  const rule = (verb: 'add' | 'del', direction: 'from' | 'to', address: string): Promise<void> =>
    ip([`rule ${verb} ${direction} ${address} table ${TABLE} pref ${CUT_ORDER}`]);
  return {
    allow: (system) => {
      source = system;
    },
    cut: async (address) => {
      if (source === undefined) throw new Error('nobody can be cut off in a stage without a network of its own (plain loopback)');
      if (cut.has(address)) throw new Error(`${address} is cut off already`);
      cut.add(address);
      try {
        await (cable ??= layCable(source));
        await rule('add', 'from', address);
        await rule('add', 'to', address).catch(async (error: unknown) => {
          await rule('del', 'from', address);
          throw error;
        });
      } catch (error) {
        cut.delete(address);
        throw error;
      }
    },
    heal: async (address) => {
      if (!cut.delete(address)) throw new Error(`${address} is not cut off`);
      await rule('del', 'to', address);
      await rule('del', 'from', address);
    },
  };
};
