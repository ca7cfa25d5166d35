// Words that every bundle is made of: kinds of facts, names of fields, outcomes. A secret that is part of one could only be hidden
// by making evidence unreadable. A test holds the list against the types.

const WORDS =
  'ORIGINS ProblemError abort aborted about absent accepted account accounts actor actor-failed address addresses after aggregate alive ' +
  'amount answer answer-ended answer-progress answered argv atMs attempt balance baseline because before begin behaviour bodyBytes ' +
  'bounds bytes cancel capture capture-ended card cardFile cardFiles cardHash catches cause charges claim claims class cleanup client clients ' +
  'clock clockAheadMs close close-wait closed closing code column comments commit complete concludes connect-failed connected ' +
  'connection connection-closed connection-opened consistent contentType control control.ndjson coordinates copies count defects delivered descriptors detail ' +
  'dirty disk disk-full docker does-not-apply done drain drawn drive dump dumped dumps EDQUOT edge endMark ENOSPC entries environment error errorEvent errorMs established ' +
  'events events-dropped evidence excerpt exchange exchange-planned exit extra facts failed false family fault fault-held fields file ' +
  'fileBytes files fin-wait-1 fin-wait-2 fired forMs foreign-host foreignMarkers format fromMs full graceMs halfClose harness ' +
  'hasCharges hasReservations head-written header held hint html http inconclusive index inode instances interrupted interval ' +
  'isControl isOver isolation issue judge judged known lagMs last-ack leaseAtMs leaseMs leaves ledger ledger-aggregate ledger-rows ledgerMs ' +
  'left let-finish lifetime limitMs line listen local location logs main manifest manifest.json marginMs mark marker matrix message ' +
  'method name not-seen notApplicable nothing null observation offsetMs onClosed onDisconnect once options outcome packets ' +
  'partialBilling passed path path-control paused payer peer peer-closed pending perEvent perRequest periods phase phases pids policy ' +
  'precondition prepare presets price probe problems process process-exited processMs processes-left progress purpose queuedBytes ' +
  'quiet read reason receiveQueue received reduced reduced.json refund refused remote renewalMs repeat report report.html report.md ' +
  'reports repository request request-received request-written reservations reserved reservedAtMs reset resolved resolved.json ' +
  'response-ended response-head resumed rows rssBytes runDelayMs runDelays runId runtime sample sampling scenario scenario.yaml ' +
  'scenarioHash scheduling-lag scope-closed script seal seal.json seed seen self send sendQueue serve settings settle settled shutdown ' +
  'signal signal-sent snapshots socket sockets socketsMs source spent stage-opened stage.pcap startedAt startedAtMs state status step ' +
  'stop stopsAt string sweepMs syn-received syn-sent system system-ready system-started system.yaml terminal tests time-wait ' +
  'timed-out timeline timeline.ndjson timer times toMs tookMs true truncated type undefined unexpected untestable unreadBytes upstream upstreams usage ' +
  'value variables verdict verdicts verdicts.json version versions violated violates wallMs watch watchMs what whole-seal.json ' +
  'wholeSeal wire write-blocked write-drained writes';

/** Whether a text is one of these words or part of one. */
export const isWord = (text: string): boolean => WORDS.includes(text);
