package im.zonda.app.transfer.portable;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The files that a document includes, all within the folder of the document (XEP-0227, section 5).
///
/// @param folder the folder, without symbolic links
record IncludedFiles(Path folder) {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

  static IncludedFiles around(Path document) throws IOException {
    Path real = document.toRealPath();
    Path parent = real.getParent();
    return new IncludedFiles(parent == null ? real : parent);
  }

  /// The file that an `include` element means.
  ///
  /// @param from the file that includes it
  /// @param plain whether the element has none of the attributes that are not supported
  /// @throws BadInclude if it is not within the folder, or there is none
  Path resolve(Path from, @Nullable String href, boolean plain) throws IOException {
    if (!plain) {
      throw new BadInclude("parse and xpointer are not supported");
    }
    if (href == null || href.isEmpty()) {
      throw new BadInclude("the include has no href");
    }
    if (href.startsWith("/") || href.contains("\\") || SCHEME.matcher(href).matches()) {
      throw new BadInclude("\"" + href + "\" is not a relative path");
    }
    for (String step : href.split("/", -1)) {
      if (step.equals("..")) {
        throw new BadInclude("\"" + href + "\" leaves the folder");
      }
    }
    Path written = find(from, href);
    return written == null ? decoded(from, href) : written;
  }

  /// A file that cannot be included; costs what it would contain.
  static final class BadInclude extends IOException {
    private static final long serialVersionUID = 1;

    BadInclude(String message) {
      super(message);
    }
  }

  private Path decoded(Path from, String href) throws IOException {
    try {
      String name = URLDecoder.decode(href.replace("+", "%2B"), StandardCharsets.UTF_8);
      Path found = name.contains("..") || name.startsWith("/") ? null : find(from, name);
      if (found != null) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      throw new BadInclude("\"" + href + "\" is not a path");
    }
    throw new BadInclude("there is no file \"" + href + "\"");
  }

  private @Nullable Path find(Path from, String name) throws IOException {
    try {
      Path base = from.toRealPath().getParent();
      Path file = (base == null ? folder : base).resolve(name);
      if (!Files.isRegularFile(file)) {
        return null;
      }
      Path real = file.toRealPath();
      if (!real.startsWith(folder)) {
        throw new BadInclude("\"" + name + "\" leaves the folder by a symbolic link");
      }
      return real;
    } catch (InvalidPathException e) {
      throw new BadInclude("\"" + name + "\" is not a path");
    }
  }
}
