package im.zonda.app.settings.plugin;

import im.zonda.app.settings.toml.TomlValue;
import im.zonda.config.plugin.PluginValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Values of TOML as values of plugins.
public final class WrittenValue {
  private WrittenValue() {}

  /// The value of a plugin; null for what no setting has, such as a table or a date.
  ///
  /// @param content the value that a scalar stands for; null if there is none
  public static @Nullable PluginValue of(
      TomlValue written, Function<TomlValue.Scalar, @Nullable Object> content) {
    return switch (written) {
      case TomlValue.Scalar scalar -> scalar(scalar, content.apply(scalar));
      case TomlValue.Array array -> texts(array, content);
      case TomlValue.Table _ -> null;
    };
  }

  private static @Nullable PluginValue scalar(TomlValue.Scalar scalar, @Nullable Object content) {
    return switch (content) {
      case String text when scalar.place().isVariable() -> new PluginValue.Variable(text);
      case String text -> new PluginValue.Text(text);
      case Long number -> new PluginValue.Whole(number);
      case Boolean on -> new PluginValue.Flag(on);
      case null, default -> null;
    };
  }

  private static @Nullable PluginValue texts(
      TomlValue.Array array, Function<TomlValue.Scalar, @Nullable Object> content) {
    List<String> texts = new ArrayList<>();
    for (TomlValue element : array.values()) {
      if (element instanceof TomlValue.Scalar scalar
          && content.apply(scalar) instanceof String text) {
        texts.add(text);
      } else {
        return null;
      }
    }
    return new PluginValue.Texts(texts);
  }
}
