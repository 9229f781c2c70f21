/** nginx with TLS and a path prefix in front of Jupyter, which keeps its token and its check of forged requests. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, stop, supervised } from '../e2e/harness/jupyter-process';
import { startOn } from '../e2e/harness/server';
import { given, homeOf, smoke, test, until } from './smoke';

const PREFIX = '/research/anna/';
const TOKEN = 'a-token-of-this-test';

test.use({ ignoreHTTPSErrors: true });

/** The configuration of docs/networks.md, with folders of the test's own. */
function configuration(port: number, jupyter: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path temp-${name};`);
  return `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  ${folders.join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate certificate.pem;
    ssl_certificate_key key.pem;
    client_max_body_size 100m;
    location ${PREFIX} {
      proxy_pass http://127.0.0.1:${jupyter};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
    location / { return 404; }
  }
}
`;
}

test('nginx with a path prefix and TLS in front of Jupyter', async ({ page, afterwards }) => {
  test.setTimeout(240_000);
  const home = homeOf('nginx');
  rmSync(home, { recursive: true, force: true });
  const folder = join(home, 'nginx');
  mkdirSync(folder, { recursive: true });
  const [jupyter, port] = [await freePort(), await freePort()];
  afterwards(
    await startOn(jupyter, home, {
      prefix: PREFIX,
      options: [`--IdentityProvider.token=${TOKEN}`, '--ServerApp.trust_xheaders=True']
    })
  );
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  writeFileSync(join(folder, 'nginx.conf'), configuration(port, jupyter));
  const nginx = supervised(given('DASK_PANES_TEST_NGINX'), ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    cwd: folder,
    env: process.env,
    log: join(home, 'nginx.log')
  });
  afterwards(() => stop(nginx));

  const url = `https://localhost:${port}${PREFIX.slice(0, -1)}`;
  await until('nginx answers', () =>
    page.request.get(`${url}/api`).then(
      answer => answer.ok(),
      () => false
    )
  );
  // The token is asked for once, and then a cookie.
  await page.request.get(`${url}/lab?token=${TOKEN}`);
  await smoke(page, url);
});
