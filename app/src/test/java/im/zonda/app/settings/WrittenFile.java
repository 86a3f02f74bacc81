package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A configuration file that a test writes and reads.
///
/// @param folder where it is written
record WrittenFile(Path folder) {
  Settings read(String text) throws IOException, SettingsException {
    Path file = Files.writeString(folder.resolve("zonda.toml"), text);
    return new SettingsReader(Map.of(), Set.of()).read(file, null, folder);
  }

  /// What is wrong with a text, each problem without the name of the file.
  List<String> problems(String text) {
    SettingsException e = catchThrowableOfType(SettingsException.class, () -> read(text));
    assertThat(e).isNotNull();
    return e.problems().stream()
        .map(Problem::toString)
        .map(problem -> problem.substring(problem.indexOf("zonda.toml:") + 11))
        .toList();
  }
}
