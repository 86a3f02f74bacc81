package im.zonda.app.transfer.destination;

import im.zonda.account.GuestAddress;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.Stores;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The server to which accounts and rooms move.
///
/// @param stores its stores; null if there are none yet and nothing is to be written
/// @param random source of salts; cryptographically strong and thread-safe
/// @param dryRun whether nothing is written
public record ImportTarget(
    @Nullable Stores stores,
    ServerConfig config,
    InstantSource clock,
    RandomGenerator random,
    boolean dryRun) {
  /// Why an account with that address cannot be one of this server, or null.
  @Nullable String refuseAccount(Jid account) {
    if (account.local() == null || account.resource() != null) {
      return "not the address of an account";
    }
    if (!config.hosts().contains(account.domain())) {
      return account.domain() + " is not a host of this server; add it to hosts";
    }
    return GuestAddress.isGuest(account) ? "the name is one of guests" : null;
  }

  /// Why a room with that address cannot be one of this server, or null.
  @Nullable String refuseRoom(Jid room) {
    String prefix = config.rooms().prefix() + ".";
    String domain = room.domain();
    if (room.local() == null || room.resource() != null) {
      return "not the address of a room";
    }
    if (domain.startsWith(prefix) && config.hosts().contains(domain.substring(prefix.length()))) {
      return null;
    }
    int dot = domain.indexOf('.');
    return dot > 0 && config.hosts().contains(domain.substring(dot + 1))
        ? "this server has rooms at "
            + prefix
            + domain.substring(dot + 1)
            + "; set rooms.prefix to \""
            + domain.substring(0, dot)
            + "\" first, so that addresses stay"
        : domain + " is no room service of a host of this server";
  }
}
