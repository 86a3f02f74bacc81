package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import im.zonda.app.settings.edit.TomlText;
import im.zonda.app.settings.toml.Problem;
import im.zonda.app.settings.toml.SettingsException;
import im.zonda.app.settings.toml.TomlFile;
import im.zonda.app.settings.toml.TomlString;
import im.zonda.app.settings.toml.TomlValue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/// Any text as the configuration: it is rejected with places in it, or is shown so that the same
/// configuration is read; and a key that is set in it is the only one that changes. Runs the
/// committed seeds; `./zonda test --fuzz` searches for more.
class SettingsFuzzTest {
  private static final SettingsReader READER = new SettingsReader(Map.of(), Set.of("ping"));

  @TempDir private static Path folder;

  @FuzzTest(maxDuration = "2m")
  void anyFile(byte[] data) throws SettingsException {
    String text = new String(data, StandardCharsets.UTF_8);
    Settings settings;
    try {
      settings = read(text);
    } catch (SettingsException e) {
      assertThat(e.problems()).isNotEmpty();
      for (Problem problem : e.problems()) {
        assertThat(problem.place().line()).isBetween(1, text.split("\\R", -1).length);
        assertThat(problem.message()).isNotBlank();
      }
      return;
    }
    String shown = SettingsText.show(settings);
    if (!shown.contains(TomlString.HIDDEN)) {
      assertThat(read(shown).config()).isEqualTo(settings.config());
    }
  }

  private static Settings read(String text) throws SettingsException {
    return READER.readWith(folder.resolve("zonda.toml"), text, null, folder);
  }

  @FuzzTest(maxDuration = "2m")
  void anyEdit(byte[] data) throws SettingsException {
    String text = new String(data, StandardCharsets.UTF_8);
    TomlValue.Table before;
    try {
      before = TomlFile.parse(text, "a");
    } catch (SettingsException e) {
      return;
    }
    String changed;
    try {
      changed = TomlText.with(text, List.of("c2s", "event-loops"), "7");
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    TomlValue.Table after = TomlFile.parse(changed, "a");
    assertThat(after.entries().get("c2s"))
        .isInstanceOfSatisfying(
            TomlValue.Table.class,
            section ->
                assertThat(section.entries().get("event-loops"))
                    .isInstanceOfSatisfying(
                        TomlValue.Scalar.class, value -> assertThat(value.value()).isEqualTo(7L)));
    assertThat(after.entries().keySet()).containsAll(before.entries().keySet());
  }
}
