package im.zonda.bench.judge;

import java.net.InetSocketAddress;

/// The numbers of a run of Tsung.
///
/// @param address of the server
/// @param domain the virtual host
/// @param rooms the domain of its rooms
/// @param password of all accounts
/// @param rate people who arrive in a second
/// @param seconds how long they arrive
public record TsungLoad(
    InetSocketAddress address,
    String domain,
    String rooms,
    String password,
    int rate,
    int seconds) {
  private static final int LEAST_ABSENT = 10;
  private static final int PER_ABSENT = 10;

  /// The people who arrive, each once.
  public int users() {
    return rate * seconds;
  }

  /// The people who never do.
  public int absent() {
    return Math.max(LEAST_ABSENT, users() / PER_ABSENT);
  }
}
