package im.zonda.auth.provider;

import im.zonda.jid.Jid;
import im.zonda.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Remembers which accounts a provider keeps, so that nobody else gets their messages: not an
/// account of another provider with that name, and not a person who has got the name of another.
/// Calls block.
///
/// @param values the store named [#STORE]
public record AccountLinks(KeyValueStore values) {
  /// The name of the store.
  public static final String STORE = "provided";

  private static final String KEY = "link";

  /// Who keeps an account.
  ///
  /// @param provider the name of the provider in the settings
  /// @param id what the provider calls the person, whatever their name; null if it has no such
  ///   thing
  public record Link(String provider, @Nullable String id) {}

  /// Who keeps the account; null if the server does, or if there is none.
  public @Nullable Link find(Jid account) {
    byte[] stored = values.get(account, KEY);
    if (stored == null) {
      return null;
    }
    String[] parts = new String(stored, StandardCharsets.UTF_8).split("\n", 2);
    return new Link(parts[0], parts.length < 2 || parts[1].isEmpty() ? null : parts[1]);
  }

  /// Remembers who keeps the account.
  public void put(Jid account, Link link) {
    String text = link.provider() + "\n" + (link.id() == null ? "" : link.id());
    values.put(account, KEY, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Forgets who keeps the account: the next person whom a provider accepts as that account gets
  /// it.
  public void remove(Jid account) {
    values.remove(account, KEY);
  }
}
