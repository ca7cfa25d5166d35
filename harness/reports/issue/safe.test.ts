// Whatever a system or a stranger has said: an issue calls nobody, links nowhere, and tells nothing of the machine.
import { expect, it } from 'vitest';
import { OBSERVATIONS, RESOLVED, VERDICTS } from '../../bundle/fixture.ts';
import type { Verdicts } from '../../bundle/format.ts';
import { createTimeline } from '../../model/timeline.ts';
import { BUNDLE, expectHarmless, INPUT, tokensOf } from './fixture.ts';
import { issueText } from './issue-text.ts';
import type { IssueInput } from './issue-text.ts';
import { createHide } from './safe.ts';

const HOSTILE = [
  '@everyone see #123, org/repo#45, GH-7, !8 and https://evil.example/x www.evil.example',
  '<script>alert(1)</script><img src=x onerror=y></details>',
  '| a | b |',
  '```\n# heading',
  '`code` **bold** [link](https://evil.example) ![p](https://evil.example/p.png)',
  'mail me@evil.example',
  '&lt;b&gt; \u202egnp',
  '$12 ~bug %milestone ^group',
  '[ref]: https://evil.example',
  '\u001b[31mred',
  '~~gone~~ _x_ *y*  \n---',
].join(' ');

it('calls nobody and links nowhere, whatever the system has said', () => {
  const hostile: IssueInput = {
    ...INPUT,
    bundle: {
      ...BUNDLE,
      scenarioText: `name: "${HOSTILE}"\n\`\`\`\`\n`,
      manifest: { ...BUNDLE.manifest, scenario: HOSTILE, versions: { [HOSTILE]: HOSTILE } },
      resolved: {
        ...RESOLVED,
        run: { ...RESOLVED.run, card: HOSTILE, about: HOSTILE, settings: { [HOSTILE]: HOSTILE }, defects: [HOSTILE] },
      },
      verdicts: {
        ...VERDICTS,
        problems: [{ family: 'system', code: HOSTILE, message: HOSTILE, hint: HOSTILE }] as unknown as Verdicts['problems'],
        verdicts: VERDICTS.verdicts.map((verdict) => ({ ...verdict, reason: HOSTILE, class: HOSTILE, as: HOSTILE })),
      },
      timeline: createTimeline(
        OBSERVATIONS.map((each) => (each.type === 'request-received' ? { ...each, path: HOSTILE, behaviour: HOSTILE } : each)),
      ),
      notes: [HOSTILE],
    },
    archive: {
      name: HOSTILE,
      bytes: 1,
      reduced: { format: 1, of: null, canBeJudged: false, left: [{ path: HOSTILE, what: HOSTILE, bytes: 1 }] },
    },
    right: () => ({ about: HOSTILE, violatedIf: [HOSTILE], usesControl: true }),
    logs: [{ name: HOSTILE, lines: [HOSTILE, '````', '</details>'] }],
  };
  const { body, short } = issueText(hostile);
  for (const text of [body, short]) {
    expectHarmless(text);
  }
  const html = tokensOf(body)
    .filter(({ type }) => type === 'html')
    .map(({ raw }) => raw);
  expect(html.filter((raw) => raw.startsWith('<details>'))).toHaveLength(html.filter((raw) => raw.startsWith('</details>')).length);
});

it('tells no secret, and no path of a machine', () => {
  const hide = createHide(['/srv/checkout', '/home/somebody/project']);
  const told =
    'see /srv/checkout/harness/x.ts:12, /home/somebody/.ssh/id and C:\\Users\\me\\x.txt; POST /v1/chat/completions with Bearer abcdefgh12345678';
  const text = hide(told);
  expect(text).not.toMatch(/\/srv|somebody|Users|abcdefgh/);
  expect(text).toContain('…/x.ts:12');
  expect(text).toContain('/v1/chat/completions');
  const run = { ...RESOLVED.run, file: '/home/somebody/project/mine.yaml', system: '/srv/checkout/card.yaml' };
  const { body } = issueText({ ...INPUT, hide, archive: null, bundle: { ...BUNDLE, scenarioText: told, resolved: { ...RESOLVED, run } } });
  expect(body).not.toMatch(/\/srv|somebody|abcdefgh/);
});
