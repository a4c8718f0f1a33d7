/**
 * One thing per connection, made when it is first asked for. It is keyed by the identity of the connection's client (its
 * `Api`, its `TextClient`, or what is itself held per client): `currentClient` makes a fresh client for every
 * connection, also for the same key given again, and holds it until the connection ends. Nothing is dropped by hand: an
 * entry goes with its client. What `create` starts (listeners, timers) it must also stop, with `onConnectionEnd`.
 * The further arguments count only for the first call of each client. When `create` throws, nothing is held.
 */
export function perConnection<Client extends object, Rest extends unknown[], Held>(
  create: (client: Client, ...rest: Rest) => Held,
): (client: Client, ...rest: Rest) => Held {
  const held = new WeakMap<Client, { value: Held }>();
  return (client, ...rest) => {
    const known = held.get(client);
    if (known !== undefined) return known.value;
    const value = create(client, ...rest);
    held.set(client, { value });
    return value;
  };
}
