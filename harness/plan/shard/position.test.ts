import { expect, test } from 'vitest';
import { positionIn } from './position.ts';

const place = (environment: Readonly<Record<string, string>>): string => {
  const { index, count, by } = positionIn(environment);
  return `${index}/${count} ${by}`;
};

test.each([
  ['GitLab counts from 1', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '5' }, '2/5 GitLab'],
  ['CircleCI counts from 0', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, '1/4 CircleCI'],
  ['Kubernetes counts from 0 and names no total', { JOB_COMPLETION_INDEX: '3', HANGUP_SHARD_TOTAL: '4' }, '4/4 Kubernetes'],
  ['Buildkite counts from 0', { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '2' }, '2/2 Buildkite'],
  ['Bitbucket counts from 0', { BITBUCKET_PARALLEL_STEP: '0', BITBUCKET_PARALLEL_STEP_COUNT: '2' }, '1/2 Bitbucket'],
  ['Semaphore counts from 1', { SEMAPHORE_JOB_INDEX: '1', SEMAPHORE_JOB_COUNT: '2' }, '1/2 Semaphore'],
  ['a matrix gives it by hand', { HANGUP_SHARD_INDEX: '3', HANGUP_SHARD_TOTAL: '3' }, '3/3 HANGUP_SHARD_INDEX and HANGUP_SHARD_TOTAL'],
  ['by hand beats what the CI says', { HANGUP_SHARD_INDEX: '1', HANGUP_SHARD_TOTAL: '2', CI_NODE_INDEX: '5', CI_NODE_TOTAL: '9' }, '1/2 HANGUP_SHARD_INDEX and HANGUP_SHARD_TOTAL'],
  ['a total set by hand that the CI says too', { HANGUP_SHARD_TOTAL: '4', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, '1/4 GitLab'],
  ['two that agree are one', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '2', BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '2' }, '2/2 GitLab'],
  ['a total that every GitLab job has says nothing', { CI_NODE_TOTAL: '1', CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '2' }, '2/2 CircleCI'],
])('%s', (_, environment, expected) => expect(place(environment)).toBe(expected));

test.each([
  ['nothing', {}, 'nothing in the environment says which shard this is'],
  ['empty values', { CI_NODE_INDEX: '', CI_NODE_TOTAL: ' ' }, 'nothing in the environment says'],
  ['a GitLab job without parallel', { CI_NODE_TOTAL: '1' }, 'CI_NODE_TOTAL is there and CI_NODE_INDEX is not (GitLab: `parallel: n` in the job)'],
  ['an indexed job without a total', { JOB_COMPLETION_INDEX: '0' }, 'JOB_COMPLETION_INDEX is there and HANGUP_SHARD_TOTAL is not'],
  ['a total alone', { HANGUP_SHARD_TOTAL: '4' }, 'HANGUP_SHARD_TOTAL is there and HANGUP_SHARD_INDEX is not'],
  ['an index set by hand without its total, whatever the CI says', { HANGUP_SHARD_INDEX: '2', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' },
    'HANGUP_SHARD_INDEX is there and HANGUP_SHARD_TOTAL is not (hangup: both set by hand'],
  ['an index set by hand without its total, where the CI says the same', { HANGUP_SHARD_INDEX: '1', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'HANGUP_SHARD_TOTAL is not'],
  ['an index set by hand alone', { HANGUP_SHARD_INDEX: '2' }, 'HANGUP_SHARD_TOTAL is not'],
  ['a total set by hand that the CI contradicts', { HANGUP_SHARD_TOTAL: '8', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'HANGUP_SHARD_TOTAL is there and HANGUP_SHARD_INDEX is not'],
  ['a total set by hand that is no number', { HANGUP_SHARD_TOTAL: 'four', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, 'HANGUP_SHARD_TOTAL is there and HANGUP_SHARD_INDEX is not'],
  ['an index past the end', { CIRCLE_NODE_INDEX: '4', CIRCLE_NODE_TOTAL: '4' }, 'CIRCLE_NODE_INDEX=4 is none of CIRCLE_NODE_TOTAL=4: CircleCI counts from 0'],
  ['an index before the first', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' }, 'GitLab counts from 1'],
  ['no number', { CI_NODE_INDEX: 'two', CI_NODE_TOTAL: '4' }, 'CI_NODE_INDEX is "two", which is no position'],
  ['two that differ', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2', CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '2' }, 'GitLab says 1/2, CircleCI says 2/2'],
  ['two that differ, one of them Kubernetes', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4', JOB_COMPLETION_INDEX: '0', HANGUP_SHARD_TOTAL: '8' }, 'GitLab says 1/4, Kubernetes says 1/8'],
])('%s is refused', (_, environment, expected) => expect(() => positionIn(environment)).toThrow(expected));
