package im.zonda.net.http;

import im.zonda.http.HttpException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The target of a request (RFC 9112, section 3.2): path and query, decoded. A path that different
/// programs read differently is rejected; escaped slashes and backslashes are, unless the route
/// allows them ([Routing]).
///
/// @param authority the host and port of the absolute form, or null
/// @param path the decoded path, in which slashes and backslashes within segments are escaped; `*`
///   if there is none
/// @param segments the parts of the path, each decoded after the path was split
/// @param query the decoded parameters
record RequestTarget(
    @Nullable String authority, String path, List<String> segments, Map<String, String> query) {
  private static final int MAX_PARAMETERS = 64;

  /// Reads a target.
  ///
  /// @throws HttpException 400 if it is none
  static RequestTarget parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7F || c == '#' || c == '\\' || c == '"' || c == '<' || c == '>') {
        throw bad("characters that a URL does not have");
      }
    }
    String rest = text;
    String authority = null;
    int scheme = text.indexOf("://");
    if (scheme > 0 && !text.startsWith("/")) {
      String name = text.substring(0, scheme);
      if (!name.equalsIgnoreCase("http") && !name.equalsIgnoreCase("https")) {
        throw bad("a URL of another scheme");
      }
      int end = text.indexOf('/', scheme + 3);
      authority = end < 0 ? text.substring(scheme + 3) : text.substring(scheme + 3, end);
      rest = end < 0 ? "/" : text.substring(end);
    }
    if (rest.equals("*")) {
      return new RequestTarget(authority, "*", List.of(), Map.of());
    }
    if (!rest.startsWith("/")) {
      throw bad("no path");
    }
    int mark = rest.indexOf('?');
    String path = mark < 0 ? rest : rest.substring(0, mark);
    List<String> segments = segments(path.substring(1).split("/", -1));
    return new RequestTarget(
        authority,
        segments.stream()
            .map(each -> each.replace("/", "%2F").replace("\\", "%5C"))
            .collect(Collectors.joining("/", "/", "")),
        segments,
        mark < 0 ? Map.of() : parameters(rest.substring(mark + 1)));
  }

  private static List<String> segments(String[] escaped) {
    List<String> segments = new ArrayList<>();
    for (int i = 0; i < escaped.length; i++) {
      String segment = decode(escaped[i], false);
      boolean last = i == escaped.length - 1;
      if ((segment.isEmpty() && !last) || isDotted(segment)) {
        throw bad("empty or dotted segments in the path");
      }
      if (segment.chars().anyMatch(Character::isISOControl)) {
        throw bad("control characters in the path");
      }
      segments.add(segment);
    }
    return List.copyOf(segments);
  }

  /// Dots between escaped slashes, which other programs could read as those between slashes.
  private static boolean isDotted(String segment) {
    for (String part : segment.split("[/\\\\]", -1)) {
      if (part.equals(".") || part.equals("..")) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, String> parameters(String text) {
    Map<String, String> all = new LinkedHashMap<>();
    for (String part : text.split("&", MAX_PARAMETERS + 1)) {
      if (all.size() == MAX_PARAMETERS) {
        throw bad("too many parameters");
      }
      int equals = part.indexOf('=');
      String name = decode(equals < 0 ? part : part.substring(0, equals), true);
      if (!name.isEmpty()) {
        all.putIfAbsent(name, equals < 0 ? "" : decode(part.substring(equals + 1), true));
      }
    }
    return all;
  }

  private static String decode(String text, boolean query) {
    if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
      return text;
    }
    ByteBuffer bytes = ByteBuffer.allocate(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw bad("a broken escape");
        }
        bytes.put((byte) (high * 16 + low));
        i += 2;
      } else {
        bytes.put((byte) (c == '+' && query ? ' ' : c));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw bad("escapes that are not UTF-8");
    }
  }

  private static HttpException bad(String what) {
    return new HttpException(400, "The address of the request has " + what);
  }
}
