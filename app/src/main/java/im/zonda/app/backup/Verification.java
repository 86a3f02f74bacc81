package im.zonda.app.backup;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of the verification of a backup.
///
/// @param folder the backup
/// @param manifest what it should have; null if that cannot be read
/// @param problems sentences for an administrator, not all if there are many
public record Verification(Path folder, @Nullable Manifest manifest, List<String> problems) {
  /// Copies the list.
  public Verification {
    problems = List.copyOf(problems);
  }

  /// Whether the backup is as it was written.
  public boolean isWhole() {
    return problems.isEmpty();
  }
}
