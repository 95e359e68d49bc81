import { describe, expect, it } from 'vitest';
import { parseSearchAddress } from '../../../src/retrievers/servers/search-address.ts';

describe('the address of a search server', () => {
  it('has a kind, a host, a collection and options', () => {
    const { options, ...address } = parseSearchAddress('chroma+http://127.0.0.1:8000/my%20docs?tenant=acme');
    expect(address).toEqual({
      kind: 'chroma',
      url: 'http://127.0.0.1:8000',
      display: 'chroma+http://127.0.0.1:8000/my docs',
      collection: 'my docs',
    });
    expect(options.get('tenant')).toBe('acme');
    expect(options.get('database')).toBe('default_database');
  });

  it('may have a path before the index, and the fields of the index', () => {
    const address = parseSearchAddress('Elasticsearch+HTTPS://es.example/proxy/es/logs-2026?text=body&vector=v');
    expect(address).toMatchObject({ url: 'https://es.example/proxy/es', collection: 'logs-2026' });
    expect([...address.options]).toContainEqual(['text', 'body']);
    expect([...address.options]).toContainEqual(['vector', 'v']);
  });

  it('does not show a login', () => {
    const { url, display } = parseSearchAddress('opensearch+https://me:s3cretpass@host:9200/docs');
    expect(url).toBe('https://me:s3cretpass@host:9200');
    expect(display).toBe('opensearch+https://host:9200/docs');
  });

  it.each([
    ['http://127.0.0.1:8000/docs', 'has to begin with chroma+http://'],
    ['solr+http://h/docs', 'has to begin with'],
    ['chroma+http://127.0.0.1:8000', 'names no collection'],
    ['elasticsearch+http://me:s3cretpass@127.0.0.1:9200/', 'names no index'],
    ['elasticsearch+http://h:9200/_search', 'cannot be called "_search"'],
    ['chroma+http://me:s3cretpass@h:99999/docs', 'port'],
    ['chroma+http://h/docs?tenat=s3cretpass', 'has no option "tenat"; did you mean "tenant"?'],
    ['elasticsearch+http://h/docs?api_key=s3cretpass', 'has no option "api_key"'],
    ['chroma+http://h/%E0%A4%A', 'not encoded'],
  ])('%s is refused', (value, why) => {
    let error: Error | null = null;
    try {
      parseSearchAddress(value);
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(error).toMatchObject({ code: 'config-invalid', hint: expect.stringContaining('--server') });
    expect(error!.message).toContain(why);
    expect(error!.message).not.toContain('s3cretpass');
  });
});
