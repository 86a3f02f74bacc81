package im.zonda.testkit.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// Ports for servers that are started later, and perhaps again. Two kinds of processes could take
/// such a port in the meantime, and neither gets one of these:
///
/// - one that connects: the ports lie below those that the operating system gives to outgoing
///   connections (32768 to 60999 on Linux), of which tests open thousands;
/// - another run of tests beside: each process has a block of ports for itself. A process holds its
///   block by listening on the first port of the block, for as long as the process lives.
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int BLOCK = 100;
  private static final int BLOCKS = 120;
  private static final FreePorts OF_THIS_PROCESS = claim();

  /// Listens on the first port of the block.
  private final ServerSocket claim;

  private int last;

  private FreePorts(ServerSocket claim) {
    this.claim = claim;
  }

  /// A block that no process has.
  static FreePorts claim() {
    int first = ThreadLocalRandom.current().nextInt(BLOCKS);
    for (int i = 0; i < BLOCKS; i++) {
      int port = FIRST + (first + i) % BLOCKS * BLOCK;
      try {
        return new FreePorts(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      } catch (IOException e) {
        // Another process has the block; the next one is tried.
      }
    }
    throw new UncheckedIOException(new IOException("other processes have all blocks of ports"));
  }

  /// A port that no server has at 127.0.0.1.
  public static int next() throws IOException {
    return next(1);
  }

  /// A port that no server has at 127.0.0.1 to 127.0.0.`addresses`.
  public static int next(int addresses) throws IOException {
    return OF_THIS_PROCESS.find(addresses);
  }

  /// The next free port of the block. A port comes again after all others.
  synchronized int find(int addresses) throws IOException {
    for (int attempt = 1; attempt < BLOCK; attempt++) {
      last = last % (BLOCK - 1) + 1;
      int port = claim.getLocalPort() + last;
      if (isFree(port, addresses)) {
        return port;
      }
    }
    throw new IOException("no port after " + claim.getLocalPort() + " is free");
  }

  private static boolean isFree(int port, int addresses) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 1; i <= addresses; i++) {
        sockets.add(new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0." + i)));
      }
      return true;
    } catch (IOException e) {
      return false; // a server has it
    } finally {
      for (ServerSocket each : sockets) {
        each.close();
      }
    }
  }

  /// Gives the block back.
  void release() throws IOException {
    claim.close();
  }
}
