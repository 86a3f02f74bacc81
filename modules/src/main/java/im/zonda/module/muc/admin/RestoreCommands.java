package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.commands.Command;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.room.RoomName;
import im.zonda.module.muc.stanza.MucErrors;
import im.zonda.stanza.Iq;
import im.zonda.store.RoomStore.Removed;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commands of the host's administrators that list removed rooms and restore one. They are in no
/// XEP, so they have nodes and a form type of their own.
public final class RestoreCommands {
  private static final Logger LOG = LoggerFactory.getLogger(RestoreCommands.class);
  private static final String NAMESPACE = "urn:zonda:rooms:0";
  private static final String ROOM = "room";
  private static final String ADDRESS = "address";

  /// The most rooms of a list, the last removed ones.
  private static final int MOST_LISTED = 200;

  private RestoreCommands() {}

  /// Offers the commands.
  ///
  /// @param rooms the removed rooms; null while the module is not installed
  public static void offer(AdminModule admin, Supplier<@Nullable RemovedRooms> rooms) {
    offer(admin, rooms, "#list-removed", "List Removed Rooms", RestoreCommands::list);
    offer(admin, rooms, "#restore", "Restore a Removed Room", RestoreCommands::restore);
  }

  private static void offer(
      AdminModule admin,
      Supplier<@Nullable RemovedRooms> rooms,
      String name,
      String title,
      BiConsumer<CommandStage, RemovedRooms> action) {
    admin.offer(
        new Command(
            NAMESPACE + name,
            title,
            from -> rooms.get() != null && admin.isAdministrator(from),
            stage -> {
              RemovedRooms present = rooms.get();
              if (present == null) {
                stage.fail("Rooms are switched off.");
              } else {
                action.accept(stage, present);
              }
            }));
  }

  // ---- list

  private static void list(CommandStage stage, RemovedRooms rooms) {
    List<Removed> found = rooms.latest(null, MOST_LISTED + 1);
    if (found.isEmpty()) {
      stage.complete(List.of(), "There are no removed rooms.");
      return;
    }
    List<Removed> shown = found.subList(0, Math.min(MOST_LISTED, found.size()));
    DataForm columns =
        DataForm.builder("result", NAMESPACE)
            .title("Removed Rooms")
            .field(ROOM, "jid-single", "Room", List.of(), Map.of())
            .text("name", "Name", null)
            .field("creator", "jid-single", "Created by", List.of(), Map.of())
            .text("removed", "Removed", null)
            .text("end", "Can be restored until", null)
            .build();
    stage.complete(
        List.of(columns.toTable(shown.stream().map(each -> row(each, rooms)).toList())),
        found.size() > MOST_LISTED ? "These are the last " + MOST_LISTED + " of them." : null);
  }

  private static Map<String, String> row(Removed removed, RemovedRooms rooms) {
    Jid creator = removed.room().creator();
    return Map.of(
        ROOM,
        removed.room().jid().toString(),
        "name",
        removed.room().name(),
        "creator",
        creator == null ? "" : creator.toString(),
        "removed",
        time(removed),
        "end",
        rooms.end(removed).truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static String time(Removed removed) {
    return removed.removed().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  // ---- restore

  private static void restore(CommandStage stage, RemovedRooms rooms) {
    DataForm form = stage.form();
    if (form == null) {
      ask(stage, rooms);
      return;
    }
    Choice chosen = chosen(form, rooms);
    if (chosen == null) {
      stage.fail("There is no such removed room. Choose one from the list.");
      return;
    }
    rooms.requestRestoration(
        chosen.room, chosen.number, stage.from(), answer -> complete(stage, chosen.room, answer));
  }

  private static void ask(CommandStage stage, RemovedRooms rooms) {
    List<Removed> found = rooms.latest(null, MOST_LISTED + 1);
    if (found.isEmpty()) {
      stage.complete(List.of(), "There are no removed rooms.");
      return;
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (Removed each : found.subList(0, Math.min(MOST_LISTED, found.size()))) {
      Jid room = each.room().jid();
      options.put(
          new Choice(room, each.number()).toString(),
          RoomName.of(room, each.room().name()) + " (" + room + "), removed " + time(each));
    }
    DataForm.Builder form =
        DataForm.builder("form", NAMESPACE)
            .title("Restoring a Room")
            .instructions(
                "Choose the room. It comes back with its configuration, its owners and members, its"
                    + " subject and its messages, and is persistent.")
            .listSingle(ROOM, "The room to restore", null, options);
    if (found.size() > MOST_LISTED) {
      form.field(
          ADDRESS,
          "jid-single",
          "Or the address of a room that was removed before these",
          List.of(),
          Map.of());
    }
    stage.ask(form.build());
  }

  /// A removed room. As text it is the value of an option.
  private record Choice(Jid room, long number) {
    static @Nullable Choice of(String text) {
      int space = text.indexOf(' ');
      try {
        return space < 0
            ? null
            : new Choice(
                Jid.of(text.substring(space + 1)), Long.parseLong(text.substring(0, space)));
      } catch (JidFormatException | NumberFormatException e) {
        return null;
      }
    }

    @Override
    public String toString() {
      return number + " " + room;
    }
  }

  private static @Nullable Choice chosen(DataForm form, RemovedRooms rooms) {
    String option = value(form, ROOM);
    String address = value(form, ADDRESS);
    Choice chosen =
        option != null ? Choice.of(option) : address == null ? null : find(address, rooms);
    return chosen == null || !chosen.room.domain().equals(rooms.domain().domain()) ? null : chosen;
  }

  /// The one with that address that was removed last.
  private static @Nullable Choice find(String address, RemovedRooms rooms) {
    try {
      Jid room = Jid.of(address).bare();
      List<Removed> found = room.local() == null ? List.of() : rooms.latest(room.local(), 1);
      return found.isEmpty() ? null : new Choice(room, found.getFirst().number());
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static @Nullable String value(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String value = field == null ? null : field.value();
    return value == null || value.isBlank() ? null : value.strip();
  }

  private static void complete(CommandStage stage, Jid room, Iq answer) {
    if (!answer.isError()) {
      LOG.atInfo().addKeyValue("room", room).addKeyValue("by", stage.from()).log("room_restored");
      stage.complete(List.of(), room + " is there again.");
      return;
    }
    stage.fail(RemovedRooms.problem(room, MucErrors.copyOf(answer).condition()) + ".");
  }
}
