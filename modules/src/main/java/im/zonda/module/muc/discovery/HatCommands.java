package im.zonda.module.muc.discovery;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.discovery.RoomCommands.Run;
import im.zonda.module.muc.home.HatStore;
import im.zonda.module.muc.home.RoomCharges;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Hats;
import im.zonda.module.muc.room.Hats.Hat;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.Occupant;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.stanza.OccupantPresence;
import im.zonda.module.muc.stanza.OccupantPresence.Event;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.Message;
import im.zonda.stanza.Presence;
import im.zonda.xml.Element;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Commands by which admins and owners create hats and assign them to users (XEP-0317, section 3).
@Xep(number = 317, version = "0.3.1", title = "Hats")
public final class HatCommands {
  private static final String NODE = "urn:xmpp:hats:commands";
  private static final String TITLE = "hats#title";
  private static final String URI = "hats#uri";
  private static final String HUE = "hats#hue";
  private static final String JID = "hats#jid";
  private static final int MAX_CHARS = 500;

  private final ModuleContext context;
  private final RoomBroadcast broadcast;
  private final RoomRepository repository;
  private final HatStore store;

  public HatCommands(
      ModuleContext context, RoomBroadcast broadcast, RoomRepository repository, HatStore store) {
    this.context = context;
    this.broadcast = broadcast;
    this.repository = repository;
    this.store = store;
  }

  public void install(RequestTable table, RoomCommands commands) {
    Predicate<Run> staff = run -> run.affiliation().isAtLeast(Affiliation.ADMIN);
    table.roomFeature(Hats.NAMESPACE).addRoomInfo(HatCommands::addHash);
    commands
        .add(NODE + ":create", "Create a hat", staff, this::create)
        .add(NODE + ":destroy", "Destroy a hat", staff, this::destroy)
        .add(NODE + ":assign", "Assign a hat", staff, this::assign)
        .add(NODE + ":unassign", "Remove a hat", staff, this::unassign)
        .add(NODE + ":list", "List hats", Run::knowsRoom, HatCommands::list)
        .add(NODE + ":list-assigned", "List assigned hats", staff, HatCommands::listAssigned);
  }

  // ---- the commands

  private IqReply create(Run run) {
    DataForm form = run.form();
    if (form == null) {
      return run.ask(
          form("Create a hat")
              .text(TITLE, label(TITLE), null)
              .text(URI, label(URI), null)
              .text(HUE, label(HUE), null));
    }
    String uri = value(form, URI);
    String title = value(form, TITLE);
    String hue = value(form, HUE);
    if (uri == null || title == null || (hue != null && !isAngle(hue))) {
      return run.failed("Enter a URI and a title; the hue is optional, from 0 to 360.");
    }
    Hats hats = copy(run);
    if (!hats.create(new Hat(uri, title, hue))) {
      return RoomCommands.tooMuch("the room has too many hats; destroy one first");
    }
    return save(run, hats, hats.usersWith(uri), true);
  }

  private IqReply destroy(Run run) {
    DataForm form = run.form();
    Hats hats = copy(run);
    if (form == null) {
      return askForHat(run, form("Destroy a hat"), hats);
    }
    Hat hat = hats.hat(value(form, URI));
    if (hat == null) {
      return run.failed("The room has no such hat.");
    }
    List<Jid> wearers = hats.usersWith(hat.uri());
    hats.destroy(hat.uri());
    return save(run, hats, wearers, true);
  }

  private IqReply assign(Run run) {
    DataForm form = run.form();
    Hats hats = copy(run);
    if (form == null) {
      return askForHat(run, withUser("Assign a hat"), hats);
    }
    Hat hat = hats.hat(value(form, URI));
    Jid user = user(form);
    if (hat == null || user == null) {
      return run.failed("Unknown hat, or not the address of a user.");
    }
    if (!hats.assign(user, hat.uri())) {
      return RoomCommands.tooMuch("too many hats are assigned; remove some first");
    }
    return save(run, hats, List.of(user), false);
  }

  private IqReply unassign(Run run) {
    DataForm form = run.form();
    Hats hats = copy(run);
    if (form == null) {
      return askForHat(run, withUser("Remove a hat"), hats);
    }
    String uri = value(form, URI);
    Jid user = user(form);
    if (uri == null || user == null || !hats.unassign(user, uri)) {
      return run.failed("That hat is not assigned to that address.");
    }
    return save(run, hats, List.of(user), false);
  }

  private static IqReply list(Run run) {
    return run.done(
        table(
            "Hats",
            List.of(TITLE, URI, HUE),
            run.live().room().hats().all().stream().map(HatCommands::row).toList()));
  }

  private static IqReply listAssigned(Run run) {
    return run.done(
        table(
            "List assigned hats",
            List.of(JID, URI, TITLE, HUE),
            run.live().room().hats().assignments().stream()
                .map(worn -> {
                  Map<String, String> row = new LinkedHashMap<>();
                  row.put(JID, worn.user().toString());
                  row.putAll(row(worn.hat()));
                  return row;
                })
                .toList()));
  }

  // ---- changes

  /// Copies the hats, so that they are stored before anyone sees the change.
  private static Hats copy(Run run) {
    return Hats.of(run.live().room().hats().toElement());
  }

  private IqReply save(Run run, Hats hats, List<Jid> wearers, boolean list) {
    LiveRoom live = run.live();
    if (!live.stored()) {
      return RoomCommands.notYet();
    }
    if (!RoomCharges.charge(live, hats)) {
      return RoomCommands.tooMuch(
          "the account that created this room uses too much memory in rooms");
    }
    Room room = live.room();
    store.write(room.jid(), hats);
    repository.use(live);
    room.setHats(hats);
    for (Jid user : wearers) {
      for (Occupant occupant : room.occupantsOf(user)) {
        announce(room, occupant);
      }
    }
    if (list) {
      Element x =
          Element.builder(MucNames.X_USER)
              .child(Element.builder(MucNames.USER, "status").attribute("code", "104").build())
              .build();
      broadcast.sendMessage(
          room,
          Message.of(Message.Type.GROUPCHAT, room.jid(), null, context.ids().next(), List.of(x)));
    }
    return run.done(null);
  }

  private void announce(Room room, Occupant occupant) {
    Presence shown = occupant.mainSession().presence();
    List<Element> payloads = shown == null ? List.of() : OccupantPresence.clientPayloads(shown);
    broadcast.sendAvailable(room, occupant, payloads, Event.NONE);
    occupant
        .sessions()
        .forEach(occupantSession ->
            broadcast.sendToSelf(occupant, occupantSession, null, payloads, Event.NONE));
  }

  private static void addHash(RoomHome home, DataForm.Builder form) {
    LiveRoom live = home.live();
    if (live == null || live.room().hats().all().isEmpty()) {
      return;
    }
    StringBuilder all = new StringBuilder();
    for (Hat hat : live.room().hats().all()) {
      all.append(hat).append('\n');
    }
    byte[] hash = HashFunction.SHA_256.hash(all.toString());
    form.text("hats#hash", "Hash of the list of hats", HexFormat.of().formatHex(hash, 0, 20));
  }

  // ---- forms

  private static DataForm.Builder form(String title) {
    return DataForm.builder("form", NODE).title(title);
  }

  private static String label(String field) {
    return switch (field) {
      case TITLE -> "Title";
      case URI -> "URI";
      case HUE -> "Hue";
      default -> "User address";
    };
  }

  private static DataForm.Builder withUser(String title) {
    return form(title).field(JID, "jid-single", label(JID), List.of(), Map.of());
  }

  /// Asks which hat to use; completes with a note if there is none.
  private static IqReply askForHat(Run run, DataForm.Builder form, Hats hats) {
    Map<String, String> options = new LinkedHashMap<>();
    for (Hat hat : hats.all()) {
      boolean unique = !options.containsValue(hat.title());
      options.put(hat.uri(), unique ? hat.title() : hat.title() + " (" + hat.uri() + ")");
    }
    return options.isEmpty()
        ? run.failed("The room has no hats; create one first.")
        : run.ask(form.listSingle(URI, "Hat", null, options));
  }

  private static @Nullable String value(DataForm form, String name) {
    DataForm.Field field = form.field(name);
    String value = field == null ? null : field.value();
    String text = value == null ? "" : value.strip();
    return text.isEmpty() || text.length() > MAX_CHARS ? null : text;
  }

  private static @Nullable Jid user(DataForm form) {
    String value = value(form, JID);
    try {
      Jid jid = value == null ? null : Jid.of(value);
      return jid == null || jid.local() == null ? null : jid.bare();
    } catch (JidFormatException e) {
      return null;
    }
  }

  private static boolean isAngle(String hue) {
    try {
      double angle = Double.parseDouble(hue);
      return angle >= 0 && angle <= 360;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static Map<String, String> row(Hat hat) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put(TITLE, hat.title());
    row.put(URI, hat.uri());
    String hue = hat.hue();
    if (hue != null) {
      row.put(HUE, hue);
    }
    return row;
  }

  private static Element table(String title, List<String> columns, List<Map<String, String>> rows) {
    DataForm.Builder form = DataForm.builder("result").title(title);
    for (String column : columns) {
      String type = column.equals(JID) ? "jid-single" : "text-single";
      form.field(column, type, label(column), List.of(), Map.of());
    }
    return form.build().toTable(rows);
  }
}
