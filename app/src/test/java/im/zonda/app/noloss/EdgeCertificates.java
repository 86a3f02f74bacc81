package im.zonda.app.noloss;

import im.zonda.testkit.database.TestAuthority;
import im.zonda.testkit.noloss.NoLossPlan;
import java.nio.file.Path;
import java.util.List;

/// Certificates of a core, its edges and its virtual host.
///
/// @param core of the core
/// @param edge of the edges
/// @param host of the virtual host
public record EdgeCertificates(TestAuthority core, TestAuthority edge, TestAuthority host) {
  /// Makes them in that folder.
  public static EdgeCertificates create(Path folder) {
    TestAuthority core = TestAuthority.create(folder);
    return new EdgeCertificates(
        core,
        TestAuthority.issue(folder, "edge", List.of("edge.test")),
        TestAuthority.issue(folder, "host", List.of(NoLossPlan.DOMAIN)));
  }

  /// The core's section for edges.
  public String section(int port) {
    return """
    [edges]
    listen = ["127.0.0.1:%d"]
    certificate = "%s"
    key = "%s"
    ca = "%s"
    """
        .formatted(port, core.certificate(), core.key(), core.authority());
  }
}
