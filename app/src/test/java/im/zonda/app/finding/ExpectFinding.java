package im.zonda.app.finding;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.finding.Finding.Level;
import java.util.List;

/// Compares findings.
public final class ExpectFinding {
  private ExpectFinding() {}

  /// Expects a level, and texts in the finding or its advice.
  public static void is(Level level, Finding finding, String... texts) {
    assertThat(finding.level()).as(finding.toString()).isEqualTo(level);
    for (String each : texts) {
      assertThat(finding.toString()).contains(each);
    }
  }

  /// Expects one finding.
  public static void is(Level level, List<Finding> findings, String... texts) {
    assertThat(findings).hasSize(1);
    is(level, findings.getFirst(), texts);
  }
}
