package im.zonda.module.circle;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/// A group of people of a host with a room.
///
/// @param name its name for people, which is also that of the group in rosters and of the room
/// @param local the local part of the room's address, which stays when the circle gets another
///   name; no two circles have the same
/// @param created when it was created
/// @param removed whether it is being removed
record Circle(String name, String local, Instant created, boolean removed) {
  /// The most characters of a name.
  public static final int MOST_CHARS = 60;

  /// A new circle.
  ///
  /// @throws IllegalArgumentException if it cannot have that name
  static Circle of(String name, Instant now) {
    String stripped = name.strip();
    return new Circle(stripped, localOf(stripped), now, false);
  }

  /// The local part of the room of a circle with that name: what an address must not have becomes a
  /// hyphen, and upper and lower case are the same.
  ///
  /// @throws IllegalArgumentException if a circle cannot have that name
  static String localOf(String name) {
    String stripped = name.strip();
    if (stripped.isEmpty()) {
      throw new IllegalArgumentException("a circle needs a name");
    }
    if (stripped.codePoints().count() > MOST_CHARS) {
      throw new IllegalArgumentException(
          "the name of a circle has at most " + MOST_CHARS + " characters");
    }
    if (stripped.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the name of a circle is one line");
    }
    String local =
        stripped
            .toLowerCase(Locale.ROOT)
            .replaceAll("[\\s\"&'/:<>@]+", "-")
            .replaceAll("^-|-$", "");
    try {
      String prepared = local.isEmpty() ? null : Jid.of(local, "circle.invalid", null).local();
      if (prepared != null) {
        return prepared;
      }
    } catch (JidFormatException e) {
      throw new IllegalArgumentException(
          "a circle cannot be named \"" + stripped + "\": " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        "a circle cannot be named \"" + stripped + "\"; use letters or digits");
  }

  /// The address of its room at a room service.
  Jid room(Jid service) {
    return Jid.of(local, service.domain(), null);
  }

  /// What stands for it in keys, which may be shorter than an address.
  String key() {
    return HashFunction.SHA_256.hex(local);
  }

  /// The stored form: the state, when it was created in milliseconds, the local part and the name,
  /// which may have blanks.
  byte[] stored() {
    String text =
        String.join(
            " ", removed ? "REMOVED" : "LIVE", Long.toString(created.toEpochMilli()), local, name);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Reads the stored form.
  ///
  /// @throws IllegalArgumentException if it is damaged
  static Circle read(byte[] stored) {
    String[] words = new String(stored, StandardCharsets.UTF_8).split(" ", 4);
    if (words.length != 4) {
      throw new IllegalArgumentException("a circle of " + words.length + " words");
    }
    return new Circle(
        words[3],
        words[2],
        Instant.ofEpochMilli(Long.parseLong(words[1])),
        words[0].equals("REMOVED"));
  }

  /// Whether people mean this circle by a name: its own, or that of its room.
  boolean isNamed(String other) {
    String wanted = localOf(other);
    return localOf(name).equals(wanted) || local.equals(wanted);
  }

  /// The same circle with another name.
  ///
  /// @throws IllegalArgumentException if it cannot have that name
  Circle renamed(String other) {
    return new Circle(of(other, created).name, local, created, removed);
  }

  /// The same circle, which is to be removed.
  Circle asRemoved() {
    return new Circle(name, local, created, true);
  }
}
