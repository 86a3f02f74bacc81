package im.zonda.bench.target;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Settings of a server, with places of the form `@NAME@` that are filled in.
final class Template {
  private Template() {}

  /// Reads a resource of this package and fills it in.
  ///
  /// @throws IllegalStateException if a place has no value, or there is no such resource
  static String fill(String resource, Map<String, String> values) {
    String text = read(resource);
    for (Map.Entry<String, String> each : values.entrySet()) {
      text = text.replace("@" + each.getKey() + "@", each.getValue());
    }
    int left = text.indexOf('@');
    while (left >= 0) {
      int end = text.indexOf('@', left + 1);
      if (end > left && text.substring(left + 1, end).matches("[A-Z_]+")) {
        throw new IllegalStateException(resource + " wants " + text.substring(left, end + 1));
      }
      left = end;
    }
    return text;
  }

  private static String read(String resource) {
    try (InputStream in = Template.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
