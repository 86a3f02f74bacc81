package im.zonda.profile;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides what a sample was for: by the innermost frame of its stack whose class is of a category.
///
/// Classes of the JDK and of libraries for everyone decide nothing: a string that is cut while an
/// address is parsed counts as addresses, and a hash as login or encryption, by the caller. Sockets
/// of the JDK are the network only if no one else wanted them: the drivers of databases use them,
/// too.
public final class Categories {
  /// The categories of classes, by their packages. The longest name that fits decides.
  private static final Map<String, Category> TABLE =
      Map.ofEntries(
          Map.entry("io.netty.", Category.NETWORK),
          Map.entry("im.zonda.net.", Category.NETWORK),
          Map.entry("im.zonda.edge.", Category.NETWORK),
          Map.entry("im.zonda.xml.", Category.XML),
          Map.entry("im.zonda.stanza.", Category.XML),
          Map.entry("im.zonda.jid.", Category.ADDRESSES),
          Map.entry("com.ibm.icu.", Category.ADDRESSES),
          Map.entry("im.zonda.storage.", Category.STORAGE),
          Map.entry("im.zonda.store.", Category.STORAGE),
          Map.entry("org.sqlite.", Category.STORAGE),
          Map.entry("org.postgresql.", Category.STORAGE),
          Map.entry("org.mariadb.", Category.STORAGE),
          Map.entry("com.zaxxer.", Category.STORAGE),
          Map.entry("org.jdbi.", Category.STORAGE),
          Map.entry("sun.security.ssl.", Category.TLS),
          Map.entry("javax.net.ssl.", Category.TLS),
          Map.entry("io.netty.handler.ssl.", Category.TLS),
          Map.entry("im.zonda.net.tls.", Category.TLS),
          Map.entry("im.zonda.auth.", Category.LOGIN),
          Map.entry("im.zonda.stream.sasl.", Category.LOGIN),
          Map.entry("im.zonda.", Category.ROUTING),
          Map.entry("im.zonda.app.", Category.REST),
          Map.entry("im.zonda.console.", Category.REST),
          Map.entry("im.zonda.metric.", Category.REST),
          Map.entry("im.zonda.operation.", Category.REST),
          Map.entry("im.zonda.profile.", Category.REST),
          Map.entry("im.zonda.timer.", Category.REST),
          Map.entry("ch.qos.logback.", Category.REST),
          Map.entry("jdk.jfr.", Category.REST));

  /// Packages that the table would decide on and that are for everyone.
  private static final Set<String> FOR_EVERYONE =
      Set.of("io.netty.util.", "im.zonda.hash.", "im.zonda.json.");

  /// What decides if nothing else does.
  private static final Map<String, Category> IF_NOTHING_ELSE =
      Map.of("sun.nio.ch.", Category.NETWORK, "java.net.", Category.NETWORK);

  private static final Set<String> STRINGS =
      Set.of(
          "java.lang.String",
          "java.lang.StringLatin1",
          "java.lang.StringUTF16",
          "java.lang.StringCoding",
          "java.lang.StringBuilder",
          "java.lang.StringConcatHelper",
          "java.lang.AbstractStringBuilder",
          "java.lang.Character",
          "java.lang.CharacterDataLatin1");

  private Categories() {}

  /// The category of a stack.
  ///
  /// @param stack its frames, the innermost first
  public static Category of(List<Frame> stack) {
    Category weak = null;
    for (Frame each : stack) {
      Category decisive = each.isPlugin() ? Category.PLUGINS : decisive(each.type());
      if (decisive != null) {
        return decisive;
      }
      if (weak == null) {
        weak = weak(each.type());
      }
    }
    return weak == null ? Category.REST : weak;
  }

  private static @Nullable Category decisive(String type) {
    for (int dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
      String prefix = type.substring(0, dot + 1);
      if (FOR_EVERYONE.contains(prefix)) {
        return null;
      }
      Category found = TABLE.get(prefix);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable Category weak(String type) {
    for (Map.Entry<String, Category> each : IF_NOTHING_ELSE.entrySet()) {
      if (type.startsWith(each.getKey())) {
        return each.getValue();
      }
    }
    return null;
  }

  /// Whether the work itself was with strings and characters, for whomever it was.
  static boolean isString(List<Frame> stack) {
    return !stack.isEmpty() && STRINGS.contains(stack.getFirst().type());
  }

  /// Whether text was copied because its builder had become too small.
  static boolean isGrowth(List<Frame> stack) {
    for (Frame each : stack) {
      if (each.type().equals("java.lang.AbstractStringBuilder")) {
        return each.method().startsWith("ensureCapacity")
            || each.method().equals("newCapacity")
            || each.method().equals("inflateIfNeededFor");
      } else if (!each.type().startsWith("java.util.Arrays")
          && !each.type().startsWith("jdk.internal.")) {
        return false;
      }
    }
    return false;
  }

  /// The frame that says where something was done, such as an allocation: the innermost one of the
  /// server, or of a plugin; the innermost one if there is none.
  static @Nullable Frame site(List<Frame> stack) {
    for (Frame each : stack) {
      if (each.isPlugin() || each.type().startsWith("im.zonda.")) {
        return each;
      }
    }
    return stack.isEmpty() ? null : stack.getFirst();
  }
}
