package im.zonda.simulation;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.Limits;
import im.zonda.home.lifecycle.TestRecords;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/// The configuration of a simulated server: limits that are reached soon.
final class SimulatedConfig {
  private SimulatedConfig() {}

  /// Limits and storage as the seed has them.
  static ServerConfig choose(Path data, SplittableRandom random) {
    ServerConfig plain = ServerConfig.defaults(List.of("example.org"), data);
    plain =
        plain.withC2s(TestRecords.with(plain.c2s(), "plaintext", ServerConfig.Plaintext.LOOPBACK));
    Limits limits = plain.limits();
    if (random.nextInt(4) == 0) {
      limits = TestRecords.with(limits, "unacknowledgedStanzas", 16);
    }
    if (random.nextInt(4) == 0) {
      limits = TestRecords.with(limits, "mailboxTasks", 2);
    }
    int outbound = random.nextBoolean() ? 6_000 : 60_000;
    limits = TestRecords.with(limits, "outboundBytes", outbound);
    // What a client has to be sent again when it resumes must fit.
    limits = TestRecords.with(limits, "unacknowledgedBytes", outbound / 2);
    if (random.nextInt(4) == 0) {
      // Two of the four sessions may have as much as they like, or all of them less than that.
      limits = TestRecords.with(limits, "allUnacknowledgedBytes", (long) outbound);
    }
    boolean archive = random.nextBoolean();
    return TestRecords.with(
        TestRecords.with(plain, "limits", limits),
        "storage",
        TestRecords.with(plain.storage(), "archive", archive));
  }
}
