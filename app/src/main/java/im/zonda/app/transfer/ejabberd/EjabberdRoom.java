package im.zonda.app.transfer.ejabberd;

import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.Omission;
import im.zonda.app.transfer.erlang.Term;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.RoomStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One room of an ejabberd, from the term with its options.
///
/// @param where where it was found
public record EjabberdRoom(Jid jid, String where, Term options) {
  private static final Set<String> AFFILIATIONS = Set.of("owner", "admin", "member", "outcast");

  /// Options that are booleans, and their fields.
  private static final Map<String, String> BOOLEANS =
      Map.of(
          "public", "publicroom",
          "members_only", "membersonly",
          "moderated", "moderatedroom",
          "allow_change_subj", "changesubject",
          "allow_user_invites", "allowinvites",
          "allow_voice_requests", "allowvoicerequests",
          "password_protected", "passwordprotectedroom",
          "mam", "enablelogging");

  /// Options that are texts or numbers, and their fields.
  private static final Map<String, String> TEXTS =
      Map.of(
          "title", "roomname",
          "description", "roomdesc",
          "lang", "lang",
          "password", "roomsecret",
          "max_users", "maxusers");

  /// Reads the room.
  public ImportedRoom read(ImportSource.Receiver receiver) {
    Map<String, List<String>> config = new LinkedHashMap<>();
    BOOLEANS.forEach((option, field) -> {
      String value = Term.words(Term.find(options, option));
      if (value != null) {
        config.put("muc#roomconfig_" + field, List.of(value.equals("true") ? "1" : "0"));
      }
    });
    TEXTS.forEach((option, field) -> {
      String value = Term.words(Term.find(options, option));
      if (value != null) {
        config.put("muc#roomconfig_" + field, List.of(value));
      }
    });
    String anonymous = Term.words(Term.find(options, "anonymous"));
    if (anonymous != null) {
      config.put(
          "muc#roomconfig_whois", List.of(anonymous.equals("true") ? "moderators" : "anyone"));
    }
    if ("false".equals(Term.words(Term.find(options, "allow_private_messages")))) {
      config.put("muc#roomconfig_allowpm", List.of("none"));
    }
    return new ImportedRoom(jid, where, null, config, affiliations(receiver), subject());
  }

  private ImportedRoom.@Nullable Subject subject() {
    Term subject = Term.find(options, "subject");
    String text = Term.words(subject);
    if (subject instanceof Term.Items(List<Term> texts)
        && !texts.isEmpty()
        && texts.getFirst() instanceof Term.Tuple tuple
        && tuple.is("text", 3)) {
      text = Term.words(tuple.terms().get(2));
    }
    Term author = Term.find(options, "subject_author");
    if (author instanceof Term.Tuple(List<Term> parts) && !parts.isEmpty()) {
      author = parts.getFirst();
    }
    String nick = Term.words(author);
    return text == null || text.isEmpty()
        ? null
        : new ImportedRoom.Subject(text, nick == null ? "" : nick, null);
  }

  private List<RoomStore.Affiliation> affiliations(ImportSource.Receiver receiver) {
    List<RoomStore.Affiliation> affiliations = new ArrayList<>();
    if (!(Term.find(options, "affiliations") instanceof Term.Items(List<Term> all))) {
      return affiliations;
    }
    for (Term each : all) {
      try {
        RoomStore.Affiliation affiliation = affiliation(each);
        if (affiliation != null) {
          affiliations.add(affiliation);
        }
      } catch (JidFormatException e) {
        receiver.omit(
            new Omission(where, "an affiliation with " + jid, "not an address: " + e.getMessage()));
      }
    }
    return affiliations;
  }

  /// Reads `{{User, Host, Resource}, Affiliation}`, in which the affiliation may have a reason.
  private static RoomStore.@Nullable Affiliation affiliation(Term term) {
    if (!(term instanceof Term.Tuple(List<Term> pair))
        || pair.size() != 2
        || !(pair.getFirst() instanceof Term.Tuple(List<Term> address))
        || address.size() != 3) {
      return null;
    }
    Term word = pair.get(1);
    String reason = null;
    if (word instanceof Term.Tuple(List<Term> detailed) && detailed.size() == 2) {
      word = detailed.getFirst();
      reason = Term.words(detailed.get(1));
    }
    String affiliation = Term.words(word);
    String user = Term.words(address.get(0));
    String host = Term.words(address.get(1));
    if (affiliation == null || host == null || !AFFILIATIONS.contains(affiliation)) {
      return null;
    }
    return new RoomStore.Affiliation(
        Jid.of(user == null || user.isEmpty() ? null : user, host, null),
        affiliation,
        null,
        reason == null || reason.isEmpty() ? null : reason);
  }
}
