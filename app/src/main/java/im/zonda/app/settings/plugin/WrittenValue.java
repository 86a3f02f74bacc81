package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.TomlValue;
import im.zonda.config.plugin.PluginValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values of TOML as values of plugins.
final class WrittenValue {
  private WrittenValue() {}

  /// The value of a plugin; null for what no setting has, such as a table or a date.
  ///
  /// @param spaced whether it is a duration, which may have a space before its unit
  static @Nullable PluginValue of(TomlValue written, boolean spaced) {
    return switch (written) {
      case TomlValue.Scalar scalar -> scalar(scalar, spaced);
      case TomlValue.Array array -> texts(array);
      case TomlValue.Table _ -> null;
    };
  }

  private static @Nullable PluginValue scalar(TomlValue.Scalar scalar, boolean spaced) {
    return switch (scalar.value()) {
      case String text -> new PluginValue.Text(spaced ? text.replaceFirst(" ", "") : text);
      case Long number -> new PluginValue.Whole(number);
      case Boolean on -> new PluginValue.Flag(on);
      default -> null;
    };
  }

  private static @Nullable PluginValue texts(TomlValue.Array array) {
    List<String> texts = new ArrayList<>();
    for (TomlValue element : array.values()) {
      if (element instanceof TomlValue.Scalar scalar && scalar.value() instanceof String text) {
        texts.add(text);
      } else {
        return null;
      }
    }
    return new PluginValue.Texts(texts);
  }
}
