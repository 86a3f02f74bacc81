package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.erlang.Term;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The tables of ejabberd's own database that are read.
enum MnesiaTable {
  PASSWD("a password"),
  ROSTER("a contact"),
  VCARD("the vCard"),
  PRIVATE_STORAGE("private XML"),
  PRIVACY("the privacy lists"),
  OFFLINE_MSG("a message"),
  ARCHIVE_MSG("a message"),
  MUC_ROOM("a room"),
  PUBSUB_NODE("a PEP node"),
  PUBSUB_STATE("an affiliation with a PEP node"),
  PUBSUB_ITEM("an item of a PEP node");

  private static final String NODE = "#";

  private final String what;

  MnesiaTable(String what) {
    this.what = what;
  }

  /// The table with that name; null if it is not read.
  static @Nullable MnesiaTable of(String name) {
    for (MnesiaTable each : values()) {
      if (each.word().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// The name.
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// What a record of it is, for the administrator.
  String what() {
    return what;
  }

  /// To whom the record with that key belongs: an address, or [#node]; null if to nobody whose data
  /// is taken.
  @Nullable String owner(Term key) {
    if (!(key instanceof Term.Tuple(List<Term> parts)) || parts.size() < 2) {
      return null;
    }
    return switch (this) {
      case PUBSUB_NODE -> owner(parts.getFirst(), parts);
      case PUBSUB_STATE, PUBSUB_ITEM -> node(parts.get(1));
      case PASSWD, ROSTER, VCARD, PRIVATE_STORAGE, PRIVACY, OFFLINE_MSG, ARCHIVE_MSG, MUC_ROOM ->
          address(parts);
    };
  }

  /// The first part is the owner of the node, or the service that has it.
  private static @Nullable String owner(Term first, List<Term> parts) {
    return first instanceof Term.Tuple(List<Term> user) && user.size() == 3 && parts.size() == 2
        ? address(user)
        : null;
  }

  private static @Nullable String address(List<Term> parts) {
    String user = Term.words(parts.get(0));
    String host = Term.words(parts.get(1));
    return user == null || user.isEmpty() || host == null ? null : user + "@" + host;
  }

  /// The owner of what belongs to the node with that number; null if it is none.
  static @Nullable String node(@Nullable Term number) {
    String words = Term.words(number);
    return words == null ? null : NODE + words;
  }
}
