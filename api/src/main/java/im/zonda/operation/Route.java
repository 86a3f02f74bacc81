package im.zonda.operation;

import im.zonda.http.HttpMethod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where an operation is found by HTTP, below the path of the API.
///
/// @param method the method
/// @param segments the parts of the path; a part in braces is the component of that name
public record Route(HttpMethod method, List<String> segments) {
  /// Copies the list.
  public Route {
    segments = List.copyOf(segments);
  }

  /// Reads a route such as `POST /accounts/{account}/disable`.
  ///
  /// @throws IllegalArgumentException if it is none
  public static Route of(String text) {
    int space = text.indexOf(" /");
    if (space < 0) {
      throw new IllegalArgumentException("no route: " + text);
    }
    List<String> segments = List.of(text.substring(space + 2).split("/"));
    return new Route(HttpMethod.valueOf(text.substring(0, space)), segments);
  }

  /// The path as a template, such as `/accounts/{account}/disable`.
  public String path() {
    return "/" + String.join("/", segments);
  }

  /// The names of the components in the path.
  public List<String> variables() {
    List<String> names = new ArrayList<>();
    for (String segment : segments) {
      if (isVariable(segment)) {
        names.add(name(segment));
      }
    }
    return names;
  }

  /// The values of the variables if these are the segments of a path of this route, otherwise null.
  public @Nullable Map<String, String> match(List<String> path) {
    if (path.size() != segments.size()) {
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < path.size(); i++) {
      String segment = segments.get(i);
      if (isVariable(segment)) {
        values.put(name(segment), path.get(i));
      } else if (!segment.equals(path.get(i))) {
        return null;
      }
    }
    return values;
  }

  private static boolean isVariable(String segment) {
    return segment.startsWith("{");
  }

  private static String name(String segment) {
    return segment.substring(1, segment.length() - 1);
  }
}
