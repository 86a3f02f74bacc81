package im.zonda.app.noloss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The no-loss checker on the packaged server: a few kills each time, more in `./zonda test --all`,
/// and as many as one wants with `./zonda test --no-loss --minutes N`. `docs/reliability.md` says
/// what it shows. [LayoutsNoLossIT] has more than one server.
class NoLossIT {
  /// Whether the runs may take minutes.
  static final boolean ALL = Boolean.getBoolean("zonda.test.all");

  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLost() throws Exception {
    assumeTrue(NoLossOptions.given() == null, "a run of another length was asked for");
    assertClean(NoLossOptions.sqlite(ALL ? 20 : 2, 4711, true), "short");
  }

  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLostOnPostgresql() throws Exception {
    assumeTrue(NoLossOptions.given() == null, "a run of another length was asked for");
    assertClean(server(RunStorage.POSTGRESQL), "postgresql");
  }

  @Test
  @EnabledIfSystemProperty(named = "zonda.test.all", matches = "true")
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void nothingAcknowledgedIsLostOnMariadb() throws Exception {
    assumeTrue(NoLossOptions.given() == null, "a run of another length was asked for");
    assertClean(server(RunStorage.MARIADB), "mariadb");
  }

  /// The checker sees losses where there must be some: with acknowledgements that do not wait for
  /// the disk.
  @Test
  @Timeout(value = 600, unit = TimeUnit.SECONDS)
  void aServerThatPromisesTooMuchIsFound() throws Exception {
    assumeTrue(NoLossOptions.given() == null, "a run of another length was asked for");
    NoLossOptions options = NoLossOptions.sqlite(ALL ? 3 : 1, 4712, false);
    RunResult result = new NoLossRun(options, RunResult.emptyFolder("not-durable")).run();
    System.out.println(result.line());
    assertThat(result.report().lost()).isNotEmpty();
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.DAYS)
  void nothingAcknowledgedIsLostForLonger() throws Exception {
    NoLossOptions options = NoLossOptions.given();
    assumeTrue(options != null, "no length was asked for");
    if (options != null) {
      assertClean(options, "long");
    }
  }

  /// Some kinds of faults of the database come once, or each kind twice.
  private static NoLossOptions server(RunStorage storage) {
    return NoLossOptions.server(storage, ALL ? 10 : 1, ALL ? 16 : 3, 4711);
  }

  /// Runs it, and asserts that nothing was lost.
  ///
  /// @param name of the folder of its report
  static void assertClean(NoLossOptions options, String name) throws Exception {
    Path folder = RunResult.emptyFolder(name);
    RunResult result =
        switch (options.layout()) {
          case SERVER -> new NoLossRun(options, folder).run();
          case FEDERATION -> new FederationNoLossRun(options, folder).run();
          case EDGES -> new EdgesNoLossRun(options, folder).run();
        };
    System.out.println(result.line());
    result.assertClean(folder);
  }
}
