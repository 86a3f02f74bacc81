package im.zonda.testkit.noloss;

import java.util.ArrayList;
import java.util.List;

/// Number of clients of each kind, and message rate.
///
/// @param seed the seed of all random choices
/// @param senders clients that send
/// @param receiversPerKind clients of each [ReceiverKind]
/// @param rate target rate of all senders together, in messages per second
/// @param window unacknowledged messages of one sender before it waits
/// @param bodyBytes bytes of a message's body
/// @param archive whether the server has archives; without them, all receivers use Stream
///   Management, because a message lost on the way to another client is in the archive only
/// @param direction whose users send to whose
/// @param tls whether all clients use TLS; otherwise those of every third account
public record NoLossPlan(
    long seed,
    int senders,
    int receiversPerKind,
    int rate,
    int window,
    int bodyBytes,
    boolean archive,
    Direction direction,
    boolean tls) {
  /// Whose users send to whose.
  ///
  /// @param prefix what the names of the accounts begin with, so that those of two directions
  ///   differ
  /// @param senders the domain of the senders
  /// @param receivers the domain of the receivers
  public record Direction(String prefix, String senders, String receivers) {
    /// Between users of one server.
    static final Direction LOCAL = new Direction("", DOMAIN, DOMAIN);
  }

  /// The virtual host.
  public static final String DOMAIN = "example.org";

  /// The password of all accounts.
  public static final String PASSWORD = "secret";

  /// About 50 clients, and more messages per second than a small machine acknowledges.
  public static NoLossPlan usual(long seed) {
    return new NoLossPlan(seed, 20, 3, 8_000, 200, 100, true, Direction.LOCAL, false);
  }

  /// About 20 clients, for a short run beside other tests: at each kill some messages are on their
  /// way, and the processors are left to the others.
  public static NoLossPlan small(long seed) {
    return new NoLossPlan(seed, 6, 1, 300, 100, 100, true, Direction.LOCAL, false);
  }

  /// This plan with another rate, which must be at least 10.
  public NoLossPlan withRate(int perSecond) {
    return new NoLossPlan(
        seed, senders, receiversPerKind, perSecond, window, bodyBytes, archive, direction, tls);
  }

  /// This plan for a server with or without archives.
  public NoLossPlan withArchive(boolean has) {
    return new NoLossPlan(
        seed, senders, receiversPerKind, rate, window, bodyBytes, has, direction, tls);
  }

  /// This plan with senders of one server and receivers of another.
  public NoLossPlan inDirection(Direction other) {
    return new NoLossPlan(
        seed, senders, receiversPerKind, rate, window, bodyBytes, archive, other, tls);
  }

  /// This plan for clients that all use TLS.
  public NoLossPlan withTls() {
    return new NoLossPlan(
        seed, senders, receiversPerKind, rate, window, bodyBytes, archive, direction, true);
  }

  /// The names of all accounts.
  public List<String> accounts() {
    List<String> names = new ArrayList<>(senderNames());
    names.addAll(receiverNames());
    return names;
  }

  /// The names of all accounts that receive.
  public List<String> receiverNames() {
    return kinds().stream().flatMap(kind -> receiverNames(kind).stream()).toList();
  }

  List<ReceiverKind> kinds() {
    List<ReceiverKind> kinds = new ArrayList<>(List.of(ReceiverKind.values()));
    if (!archive) {
      kinds.remove(ReceiverKind.UNMANAGED);
    }
    return kinds;
  }

  /// The names of all accounts that send.
  public List<String> senderNames() {
    return names("s", senders);
  }

  List<String> receiverNames(ReceiverKind kind) {
    return names(kind.word(), receiversPerKind);
  }

  private List<String> names(String word, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(direction.prefix() + word + i);
    }
    return names;
  }
}
