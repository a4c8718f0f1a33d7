/**
 * Makes one value per connection, when it is first asked for. The key is the connection's client (its `Api`, its
 * `TextClient`, or another object made once for each client): `currentClient` makes a new client for every connection,
 * also for the same key entered again. The value is collected with its client, so whatever `create` starts (listeners,
 * timers) it must stop itself, with `onConnectionEnd`. The further arguments count only for the first call of each
 * client. When `create` throws, nothing is stored.
 */
export function perConnection<Client extends object, Rest extends unknown[], Value>(
  create: (client: Client, ...rest: Rest) => Value,
): (client: Client, ...rest: Rest) => Value {
  const byClient = new WeakMap<Client, { value: Value }>();
  return (client, ...rest) => {
    const known = byClient.get(client);
    if (known !== undefined) return known.value;
    const value = create(client, ...rest);
    byClient.set(client, { value });
    return value;
  };
}
