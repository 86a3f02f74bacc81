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
public record NoLossPlan(
    long seed,
    int senders,
    int receiversPerKind,
    int rate,
    int window,
    int bodyBytes,
    boolean archive) {
  /// The virtual host.
  public static final String DOMAIN = "example.org";

  /// The password of all accounts.
  public static final String PASSWORD = "secret";

  /// About 50 clients, and more messages per second than a small machine acknowledges.
  public static NoLossPlan usual(long seed) {
    return new NoLossPlan(seed, 20, 3, 8_000, 200, 100, true);
  }

  /// About 20 clients, for a short run beside other tests.
  public static NoLossPlan small(long seed) {
    return new NoLossPlan(seed, 6, 1, 1_000, 100, 100, true);
  }

  /// This plan for a server with or without archives.
  public NoLossPlan withArchive(boolean has) {
    return new NoLossPlan(seed, senders, receiversPerKind, rate, window, bodyBytes, has);
  }

  /// The names of all accounts.
  public List<String> accounts() {
    List<String> names = new ArrayList<>(senderNames());
    for (ReceiverKind kind : kinds()) {
      names.addAll(receiverNames(kind));
    }
    return names;
  }

  List<ReceiverKind> kinds() {
    List<ReceiverKind> kinds = new ArrayList<>(List.of(ReceiverKind.values()));
    if (!archive) {
      kinds.remove(ReceiverKind.UNMANAGED);
    }
    return kinds;
  }

  List<String> senderNames() {
    return names("s", senders);
  }

  List<String> receiverNames(ReceiverKind kind) {
    return names(kind.word(), receiversPerKind);
  }

  private static List<String> names(String word, int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(word + i);
    }
    return names;
  }
}
