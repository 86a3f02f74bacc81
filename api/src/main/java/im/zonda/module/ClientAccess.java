package im.zonda.module;

import im.zonda.jid.Jid;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The clients that have logged in to an account and have identified themselves (XEP-0388, section
/// 2.3). Calls block.
public interface ClientAccess {
  /// A client.
  ///
  /// @param id its identifier, a UUID in lower case
  /// @param software the program's name, or null
  /// @param device the name of the machine, or null
  /// @param firstSeen when it first logged in
  /// @param lastSeen when it last logged in, to the hour
  /// @param knowsPassword whether it has proved the current password
  /// @param hasToken whether it can log in by a token (XEP-0484); a token ends with the password
  record Client(
      String id,
      @Nullable String software,
      @Nullable String device,
      Instant firstSeen,
      Instant lastSeen,
      boolean knowsPassword,
      boolean hasToken) {}

  /// The account's clients, the one that was seen last first; without those that have not logged in
  /// for longer than `limits.token-time`.
  List<Client> list(Jid account);

  /// Forgets a client and with it its tokens. Its sessions stay.
  void remove(Jid account, String id);
}
