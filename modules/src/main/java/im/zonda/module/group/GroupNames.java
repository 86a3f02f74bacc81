package im.zonda.module.group;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks the names of groups and of their members.
final class GroupNames {
  /// The maximum size of a name, in bytes of UTF-8; contact lists bear it.
  static final int NAME_BYTES = 256;

  private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private GroupNames() {}

  /// Whether a name can be shown: not empty, not too long, without control characters.
  static boolean isName(String name) {
    return !name.isBlank()
        && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES
        && name.codePoints().noneMatch(GroupNames::isHostile);
  }

  /// Controls, and characters that turn the direction of what follows or are not characters.
  private static boolean isHostile(int character) {
    int type = Character.getType(character);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.UNASSIGNED
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  /// Whether it is an id for a stored group.
  static boolean isId(String id) {
    return ID.matcher(id).matches();
  }

  /// The account of a member, given by its local part or its address; null if it is none of the
  /// host.
  static @Nullable Jid member(String text, String domain) {
    try {
      Jid jid = text.indexOf('@') < 0 ? Jid.of(text, domain, null) : Jid.of(text);
      return jid.local() != null && jid.isBare() && jid.domain().equals(domain) ? jid : null;
    } catch (JidFormatException e) {
      return null;
    }
  }
}
