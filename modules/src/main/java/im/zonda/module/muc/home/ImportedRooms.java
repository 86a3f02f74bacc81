package im.zonda.module.muc.home;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.store.RoomStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rooms that move here from another server, as they are stored.
public final class ImportedRooms {
  /// These two are valid only together.
  private static final List<String> PASSWORD =
      List.of("muc#roomconfig_passwordprotectedroom", "muc#roomconfig_roomsecret");

  private ImportedRooms() {}

  /// The room, which is persistent. Each option that is unknown or not allowed keeps its default,
  /// but a password that cannot be used makes the room members-only: it must not become open.
  ///
  /// @param values values by the fields of the form
  /// @param salt a secret of the room
  public static RoomStore.Room room(
      Jid jid,
      @Nullable Jid creator,
      Instant created,
      Map<String, List<String>> values,
      @Nullable Subject subject,
      Rooms settings,
      String salt) {
    RoomConfig config = RoomConfig.of(settings);
    Map<String, List<String>> others = new LinkedHashMap<>(values);
    Map<String, List<String>> password = new LinkedHashMap<>();
    for (String field : PASSWORD) {
      List<String> value = others.remove(field);
      if (value != null) {
        password.put(field, value);
      }
    }
    for (Map.Entry<String, List<String>> each : others.entrySet()) {
      RoomConfig changed = read(Map.of(each.getKey(), each.getValue()), config, settings);
      config = changed == null ? config : changed;
    }
    RoomConfig closed = read(password, config, settings);
    if (closed == null) {
      closed = read(Map.of("muc#roomconfig_membersonly", List.of("1")), config, settings);
    }
    config = (closed == null ? config : closed).persistently();
    StoredSettings stored =
        new StoredSettings(
            salt,
            true,
            RoomConfigForm.write(config, "submit", settings.occupants()).build().toElement(),
            subject);
    return new RoomStore.Room(
        jid, creator, created, true, config.listed(), config.name(), stored.write());
  }

  private static @Nullable RoomConfig read(
      Map<String, List<String>> values, RoomConfig now, Rooms settings) {
    DataForm.Builder form = DataForm.builder("submit", RoomConfigForm.KIND);
    values.forEach((field, value) -> form.field(field, "text-multi", null, value, Map.of()));
    try {
      return RoomConfigForm.read(form.build(), now, settings.occupants());
    } catch (RoomConfigForm.BadFormException e) {
      return null;
    }
  }
}
