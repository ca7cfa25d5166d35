// What of an environment is a secret, and what only stands beside one.
import { relative } from 'node:path';
import { expect, it } from 'vitest';
import { secretsOf, secretsOfEnvironment } from './looks-secret.ts';

it.each([
  ['GITHUB_TOKEN', 'x9-tok-4411aa', ['x9-tok-4411aa']],
  ['OPENAI_API_KEY', 'sk-live0123456789abcdef', ['sk-live0123456789abcdef']],
  ['LITELLM_MASTER_KEY', 'sk-12345', ['sk-12345']],
  ['DB_PASSWORD', 'hunter22!', ['hunter22!']],
  ['MY_SECRET', '  padded-1234  \n', ['padded-1234']],
  ['npm_config_//registry.example/:_authToken', 'aB3dE5fG7h', ['aB3dE5fG7h']],
  ['SECRET_SALT', 'onlylowercasebutverylong', ['onlylowercasebutverylong']],
  // One key of base64 in 64 begins so.
  ['AWS_SECRET_ACCESS_KEY', '/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', ['/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY']],
  ['AWS_SECRET_ACCESS_KEY', '/tmpJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEK', ['/tmpJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEK']],
  ['API_KEY', '~Xk29fjdk3jdl!', ['~Xk29fjdk3jdl!']],
  ['API_KEY', '.Xk29fjdk3jdl', ['.Xk29fjdk3jdl']],
  ['PROXY_AUTH', 'admin:20241130', ['admin:20241130']],
  ['DATABASE_URL', 'postgres://app:p%40ss-W0rd@db:5432/x', ['p%40ss-W0rd', 'p@ss-W0rd']],
  ['SENTRY_DSN', 'host=db user=app password=qX7-qX7-zz dbname=y', ['qX7-qX7-zz']],
  ['ANYTHING', 'prefix eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln end', ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln']],
  ['WHATEVER', '-----BEGIN PRIVATE KEY-----\nMIIEabc123\n-----END PRIVATE KEY-----', ['\nMIIEabc123\n']],
])('%s=%s', (name, value, expected) => {
  for (const secret of expected) expect(secretsOf(name, value)).toContain(secret);
});

it.each([
  ['DEBUG_TOKEN', 'true'],
  ['SIGNING_KEY', 'test'],
  ['PORT_KEY', '8000'],
  ['APP_SECRET', 'changeme'],
  ['APP_SECRET', 'aaaaaaaaaaaaaaaaaaaa1'],
  ['BUILD_KEY', '2026-11-30'],
  ['LEASE_KEY', '30000ms'],
  ['SSH_KEY', '/home/someone/.ssh/id_ed25519'],
  ['TLS_KEY', './certificates/server.key'],
  ['TLS_KEY', '../Certificates-1/server'],
  ['SSH_KEY', '~/.ssh/id_ed25519'],
  ['SSH_KEY', '~deploy/.ssh/id_ed25519'],
  ['DB_SECRET', '/run/secrets/db-1'],
  ['DB_SECRET', '/app/Secrets/db-1'],
  // A file that is here, wherever that is.
  ['DB_SECRET', import.meta.filename],
  ['DB_SECRET', relative(process.cwd(), import.meta.filename)],
  ['GOOGLE_APPLICATION_CREDENTIALS', 'service-account.json'],
  ['PROXY_KEY', 'localhost:5432'],
  ['AUTH', 'https://login.example/realm'],
  ['PWD', '/home/someone/project-1'],
  ['OLDPWD', '/tmp/x1-y2'],
  ['PATH', '/usr/bin:/bin:/opt/Tool-1/bin'],
  ['MONKEY', 'Banana-123'],
  ['KEYBOARD', 'Layout-US1'],
  ['DATABASE_URL', 'postgres://app:app@db:5432/x'],
  ['SSH_AUTH_SOCK', '/tmp/ssh-X1/agent.22'],
])('is none: %s=%s', (name, value) => {
  expect(secretsOf(name, value)).toEqual([]);
});

it('takes a whole environment', () => {
  const environment = { A_TOKEN: 'x9-tok-4411aa', B_TOKEN: 'x9-tok-4411aa', HOME: '/root', C: undefined };
  expect(secretsOfEnvironment(environment)).toEqual(['x9-tok-4411aa']);
});
