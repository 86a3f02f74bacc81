package im.zonda.module.muc;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.Room.AffiliationChange;
import im.zonda.module.muc.Room.Subject;
import im.zonda.module.muc.RoomHome.LiveRoom;
import im.zonda.stanza.Message;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import im.zonda.xml.XmlReader;
import im.zonda.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Makes rooms, stores them and loads them again. Everything here blocks.
final class RoomKeeper {
  private static final String NAMESPACE = "urn:zonda:room:0";
  private static final long PAGE_BYTES = 1_048_576;
  private static final int HISTORY_PAGES = 10;

  private final ModuleContext context;
  private final Rooms settings;
  private final RoomStore store;
  private final RoomHats hats;
  private final Predicate<Jid> isAdmin;
  private final RoomBounds bounds;

  /// @param isAdmin who owns every room
  RoomKeeper(ModuleContext context, Rooms settings, Predicate<Jid> isAdmin, RoomBounds bounds) {
    this.context = context;
    this.settings = settings;
    this.bounds = bounds;
    this.store = context.port(RoomStore.class);
    this.hats = new RoomHats(context);
    this.isAdmin = isAdmin;
  }

  /// A room that was not there, locked, with its first owner; not stored yet. Null if its creator
  /// has too many rooms, or uses too much memory.
  @Nullable LiveRoom make(Jid jid, Jid creator) {
    RoomCounts.Slot slot = bounds.counts().take(creator, isAdmin.test(creator));
    if (slot == null) {
      return null;
    }
    Affiliations affiliations = new Affiliations();
    affiliations.set(creator, Affiliation.OWNER, null, null);
    RoomConfig config = RoomConfig.of(settings);
    Room room = new Room(jid, context.clock().instant(), config, affiliations, isAdmin, true);
    LiveRoom made =
        new LiveRoom(
            room,
            new RoomHistory(jid, bounds.histories(), config.history()),
            new OccupantIds(context.ids().next() + context.ids().next()),
            bounds.memory().charge(creator),
            slot);
    if (!RoomCost.charge(made, config, null, List.of())) {
      made.end();
      return null;
    }
    return made;
  }

  /// The home of an address, with the room if there is one.
  RoomHome open(Jid jid) {
    Instant now = context.clock().instant();
    LiveRoom live = load(jid);
    if (live != null
        && !RoomCost.charge(live, live.room().config(), live.room().subject(), List.of())) {
      live.end();
      return RoomHome.refused(jid, bounds.memory(), now);
    }
    return new RoomHome(jid, live, bounds.memory(), now);
  }

  /// The room with that address and its last messages, or null.
  private @Nullable LiveRoom load(Jid jid) {
    RoomStore.Stored stored = store.find(jid);
    if (stored == null) {
      return null;
    }
    Affiliations affiliations = new Affiliations();
    for (RoomStore.Affiliation entry : stored.affiliations()) {
      Affiliation affiliation = Affiliation.of(entry.affiliation());
      if (affiliation != null) {
        affiliations.set(entry.user(), affiliation, entry.nick(), entry.reason());
      }
    }
    try {
      return restored(stored.room(), affiliations);
    } catch (XmlException | StanzaFormatException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  /// The configuration of a stored room.
  RoomConfig configOf(RoomStore.Room stored) {
    try {
      return config(XmlReader.read(stored.settings().getBytes(StandardCharsets.UTF_8)));
    } catch (XmlException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  private static StoreException damaged(Exception cause) {
    return new StoreException(
        StoreException.Category.DAMAGED, "the settings of a room cannot be read", cause);
  }

  private RoomConfig config(Element all) throws RoomConfigForm.BadFormException {
    DataForm form = DataForm.of(all.child(DataForm.X));
    if (form == null) {
      throw new RoomConfigForm.BadFormException("there is no form");
    }
    return RoomConfigForm.read(form, RoomConfig.of(settings), settings.occupants());
  }

  private LiveRoom restored(RoomStore.Room stored, Affiliations affiliations)
      throws XmlException, StanzaFormatException, RoomConfigForm.BadFormException {
    Element all = XmlReader.read(stored.settings().getBytes(StandardCharsets.UTF_8));
    String salt = all.attribute("salt");
    if (salt == null) {
      throw new RoomConfigForm.BadFormException("there is no salt");
    }
    RoomConfig config = config(all);
    Room room = new Room(stored.jid(), stored.created(), config, affiliations, isAdmin, false);
    room.subject(subject(all.child("subject")));
    room.hats(hats.read(stored.jid()));
    Jid creator = stored.creator() == null ? stored.jid() : stored.creator();
    return new LiveRoom(
        room,
        past(stored.jid(), config.history()),
        new OccupantIds(salt),
        bounds.memory().charge(creator),
        null);
  }

  /// The last messages that say something. Others are among them in the archive, such as subjects:
  /// so many of those are passed over, and no more. What has been read is counted at once, so that
  /// many rooms that are loaded at the same time hold no more than the histories may.
  private RoomHistory past(Jid room, int most) {
    RoomHistory history = new RoomHistory(room, bounds.histories(), most);
    try {
      read(room, most, history);
    } catch (RuntimeException e) {
      history.clear();
      throw e;
    }
    return history;
  }

  private void read(Jid room, int most, RoomHistory history) {
    MessageArchive archive = context.port(MessageArchive.class);
    long before = Long.MAX_VALUE;
    int found = 0;
    boolean complete = false;
    for (int i = 0; i < HISTORY_PAGES && found < most && !complete; i++) {
      MessageArchive.Page page =
          archive.page(
              room,
              new MessageArchive.Filter(null, Long.MIN_VALUE, before, null, null),
              new MessageArchive.Portion(true, most, PAGE_BYTES));
      for (MessageLog.Entry entry : page.entries().reversed()) {
        before = entry.id() - 1;
        Message message = entry.message();
        if (!message.hasBody() && !message.has(MucNames.RETRACTED)) {
          continue;
        }
        Jid author = RoomArchive.authorOf(message);
        Message said = RoomArchive.withoutAuthor(message);
        if (!history.addOldest(author == null ? room : author, entry.id(), said)) {
          return;
        }
        found++;
      }
      complete = page.complete();
    }
  }

  private static @Nullable Subject subject(@Nullable Element subject) throws StanzaFormatException {
    String time = subject == null ? null : subject.attribute("time");
    if (subject == null || time == null || subject.children().isEmpty()) {
      return null;
    }
    return Stanza.of(subject.children().getFirst()) instanceof Message message
        ? new Subject(message.packed(), Instant.parse(time))
        : null;
  }

  /// Stores a room that was not stored yet, with changes that are about to be made.
  LiveRoom saveFirst(LiveRoom live, RoomConfig config, List<AffiliationChange> changes) {
    List<RoomStore.Affiliation> all = new ArrayList<>();
    live.room()
        .affiliations()
        .all()
        .forEach((user, entry) ->
            all.add(
                new RoomStore.Affiliation(
                    user, entry.affiliation().value(), entry.nick(), entry.reason())));
    all.addAll(stored(changes));
    RoomStore.Room first = stored(live, config, live.room().subject());
    RoomCounts.Slot slot = live.slot();
    if (slot == null) {
      throw new IllegalStateException("the room is stored: " + first.jid());
    }
    slot.store(() -> store.save(first, all));
    return live.asStored();
  }

  /// Stores a change before it is made; does nothing for a room that is not stored yet.
  void save(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    if (live.stored()) {
      store.save(stored(live, config, subject), stored(changes));
    }
  }

  private static List<RoomStore.Affiliation> stored(List<AffiliationChange> changes) {
    return changes.stream()
        .map(change ->
            new RoomStore.Affiliation(
                change.user(), change.affiliation().value(), change.nick(), change.reason()))
        .toList();
  }

  /// Removes what the store has of a room.
  void remove(Jid room) {
    store.remove(room);
  }

  private RoomStore.Room stored(LiveRoom live, RoomConfig config, @Nullable Subject subject) {
    Element.Builder all =
        Element.builder(NAMESPACE, "room")
            .attribute("salt", live.ids().salt())
            .child(
                RoomConfigForm.write(config, "submit", settings.occupants()).build().toElement());
    if (subject != null) {
      all.child(
          Element.builder(NAMESPACE, "subject")
              .attribute("time", subject.time().toString())
              .child(subject.message().toElement())
              .build());
    }
    ByteArraySink sink = new ByteArraySink(2_048);
    XmlWriter.write(all.build(), "", sink);
    Room room = live.room();
    return new RoomStore.Room(
        room.jid(),
        live.cost().user(),
        room.created(),
        config.persistent(),
        config.listed(),
        config.name(),
        new String(sink.toByteArray(), StandardCharsets.UTF_8));
  }
}
