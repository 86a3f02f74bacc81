package im.zonda.app.transfer.prosody;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.ImportSource;
import im.zonda.app.transfer.ImportedRoom;
import im.zonda.app.transfer.Omission;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.store.RoomStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One room of a Prosody, from its store `config`.
///
/// @param where where it was found
record ProsodyRoom(Jid jid, String where, LuaValue.Table table) {
  private static final String P = "muc#roomconfig_";
  private static final Set<String> AFFILIATIONS = Set.of("owner", "admin", "member", "outcast");

  /// Reads the room.
  ImportedRoom read(ImportSource.Receiver receiver) throws BadRecordException {
    LuaValue.Table data = table.table("_data");
    String subject = data.text("subject");
    return new ImportedRoom(
        jid,
        where,
        null,
        config(data),
        affiliations(receiver),
        subject == null || subject.isEmpty()
            ? null
            : new ImportedRoom.Subject(subject, author(data), time(data)));
  }

  private static String author(LuaValue.Table data) {
    String from = data.text("subject_from");
    int slash = from == null ? -1 : from.indexOf('/');
    return from == null || slash < 0 ? "" : from.substring(slash + 1);
  }

  private static @Nullable Instant time(LuaValue.Table data) throws BadRecordException {
    Double time = data.number("subject_time");
    return time == null ? null : StoredTime.of(time);
  }

  private static Map<String, List<String>> config(LuaValue.Table data) {
    Map<String, List<String>> config = new LinkedHashMap<>();
    text(config, P + "roomname", data.text("name"));
    text(config, P + "roomdesc", data.text("description"));
    text(config, P + "lang", data.text("language"));
    text(config, P + "whois", data.text("whois"));
    text(config, "muc#maxhistoryfetch", data.text("history_length"));
    bool(config, P + "publicroom", !data.isTrue("hidden"));
    bool(config, P + "membersonly", data.isTrue("members_only"));
    bool(config, P + "moderatedroom", data.isTrue("moderated"));
    bool(config, P + "changesubject", data.isTrue("changesubject"));
    if (data.get("allow_member_invites") != null) {
      bool(config, P + "allowinvites", data.isTrue("allow_member_invites"));
    }
    if (data.get("archiving") != null) {
      bool(config, P + "enablelogging", data.isTrue("archiving"));
    }
    String messages = data.text("allow_pm");
    text(config, P + "allowpm", messages);
    String password = data.text("password");
    if (password != null && !password.isEmpty()) {
      bool(config, P + "passwordprotectedroom", true);
      text(config, P + "roomsecret", password);
    }
    return config;
  }

  private static void text(Map<String, List<String>> config, String field, @Nullable String value) {
    if (value != null) {
      config.put(field, List.of(value));
    }
  }

  private static void bool(Map<String, List<String>> config, String field, boolean value) {
    config.put(field, List.of(value ? "1" : "0"));
  }

  private List<RoomStore.Affiliation> affiliations(ImportSource.Receiver receiver) {
    List<RoomStore.Affiliation> affiliations = new ArrayList<>();
    LuaValue.Table details = table.table("_affiliation_data");
    Map<String, LuaValue> all = new LinkedHashMap<>(table.table("_affiliations").named());
    table
        .named()
        .forEach((key, value) -> {
          if (!key.startsWith("_") && !key.equals("jid")) {
            all.put(key, value);
          }
        });
    all.forEach((user, value) -> {
      String word = LuaValue.text(value);
      try {
        if (word != null && AFFILIATIONS.contains(word)) {
          LuaValue.Table detail = details.table(user);
          affiliations.add(
              new RoomStore.Affiliation(
                  Jid.of(user).bare(),
                  word,
                  detail.text("reserved_nickname"),
                  detail.text("reason")));
        }
      } catch (JidFormatException e) {
        receiver.omit(
            new Omission(
                where,
                "an affiliation with " + jid,
                "\"" + user + "\" is not an address: " + e.getMessage()));
      }
    });
    return affiliations;
  }
}
