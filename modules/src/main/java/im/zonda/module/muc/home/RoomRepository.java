package im.zonda.module.muc.home;

import im.zonda.config.Rooms;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.module.muc.home.RoomHome.LiveRoom;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Affiliations;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.OccupantIds;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.room.Room.AffiliationChange;
import im.zonda.module.muc.room.Room.Subject;
import im.zonda.module.muc.room.RoomConfig;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.StoreException;
import im.zonda.xml.Element;
import im.zonda.xml.XmlException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates, stores and loads rooms. All methods block.
public final class RoomRepository {
  private static final long PAGE_BYTES = 1_048_576;
  private static final int HISTORY_PAGES = 10;
  private static final int PAGE = 500;

  private final ModuleContext context;
  private final Supplier<Rooms> settings;
  private final RoomStore store;
  private final MessageLog log;
  private final ClusterLog clusterLog;
  private final HatStore hats;
  private final Predicate<Jid> isAdmin;
  private final RoomBounds bounds;

  /// @param isAdmin which bare addresses own every room
  public RoomRepository(
      ModuleContext context, Supplier<Rooms> settings, Predicate<Jid> isAdmin, RoomBounds bounds) {
    this.context = context;
    this.settings = settings;
    this.bounds = bounds;
    this.store = context.port(RoomStore.class);
    this.log = context.port(MessageLog.class);
    this.clusterLog = context.port(ClusterLog.class);
    this.hats = new HatStore(context);
    this.isAdmin = isAdmin;
  }

  /// Creates a locked room with its first owner, without storing it. Returns null if the creator
  /// has too many rooms or uses too much memory.
  public @Nullable LiveRoom create(Jid jid, Jid creator) {
    Affiliations affiliations = new Affiliations();
    affiliations.set(creator, Affiliation.OWNER, null, null);
    return create(jid, creator, RoomConfig.of(settings.get()), affiliations);
  }

  /// Creates a locked room of the host itself, which has no owner of its own, without storing it.
  /// It stands for its creator and so counts as a room of nobody. Returns null if the rooms use too
  /// much memory.
  public @Nullable LiveRoom createOfHost(Jid jid, RoomConfig config) {
    return create(jid, jid, config, new Affiliations());
  }

  /// Whether the host itself has created the room, or it is not known who has.
  public static boolean isOfHost(LiveRoom live) {
    return live.cost().user().equals(live.room().jid());
  }

  private @Nullable LiveRoom create(
      Jid jid, Jid creator, RoomConfig config, Affiliations affiliations) {
    boolean unlimited = creator.equals(jid) || isAdmin.test(creator);
    RoomCounts.Slot slot = bounds.counts().tryReserve(creator, unlimited);
    if (slot == null) {
      return null;
    }
    Room room = new Room(jid, context.clock().instant(), config, affiliations, isAdmin, true);
    LiveRoom made =
        new LiveRoom(
            room,
            new RoomHistory(jid, bounds.histories(), config.history()),
            new OccupantIds(context.ids().next() + context.ids().next()),
            bounds.memory().charge(creator),
            slot);
    if (!RoomCharges.charge(made, config, null, List.of())) {
      made.end();
      return null;
    }
    return made;
  }

  /// Opens the home of an address, with the room if it exists.
  public RoomHome open(Jid jid) {
    Instant now = context.clock().instant();
    LiveRoom live = load(jid);
    if (live != null
        && !RoomCharges.charge(live, live.room().config(), live.room().subject(), List.of())) {
      live.end();
      return RoomHome.withoutMemory(jid, bounds.memory(), now);
    }
    RoomHome home = new RoomHome(jid, live, bounds.memory(), now);
    home.setFirstEntry(log.nextId());
    if (live != null) {
      restoreSlowMode(home, live.room(), now);
    }
    return home;
  }

  private void restoreSlowMode(RoomHome home, Room room, Instant now) {
    if (room.config().slowMode() > 0) {
      restore(home.slowMode(), room, now);
    }
  }

  /// What became of a removed room that is to be restored.
  public enum Restored {
    DONE,
    /// There is another room, or an account, at the address.
    ADDRESS_TAKEN,
    /// There is no such removed room.
    UNKNOWN,
    /// The rooms of its creator use too much memory.
    NO_MEMORY
  }

  /// Restores a removed room at its home, which has no room. It is persistent from now on, or it
  /// would go again as it is empty. Its hats are not restored: the accounts that wore them may have
  /// been removed meanwhile, and others may have their addresses. If the room cannot be loaded, it
  /// is removed as before.
  ///
  /// @param number see [RoomStore.Removed]
  public Restored restore(RoomHome home, long number) {
    return switch (store.restore(home.jid(), number)) {
      case ADDRESS_TAKEN -> Restored.ADDRESS_TAKEN;
      case UNKNOWN -> Restored.UNKNOWN;
      case DONE -> {
        boolean loaded = false;
        try {
          loaded = loadRestored(home);
        } finally {
          if (!loaded) {
            removeRestorably(home.jid());
          }
        }
        yield loaded ? Restored.DONE : Restored.NO_MEMORY;
      }
    };
  }

  private boolean loadRestored(RoomHome home) {
    hats.remove(home.jid());
    LiveRoom live = load(home.jid());
    if (live == null) {
      throw new IllegalStateException("a room that was restored is missing: " + home.jid());
    }
    Room room = live.room();
    if (!RoomCharges.charge(live, room.config(), room.subject(), List.of())) {
      live.end();
      return false;
    }
    RoomConfig config = room.config().persistently();
    save(live, config, room.subject(), List.of());
    room.configure(config);
    home.setLive(live);
    restoreSlowMode(home, room, context.clock().instant());
    return true;
  }

  /// Loads the room and its history; returns null if it does not exist.
  private @Nullable LiveRoom load(Jid jid) {
    clusterLog.takeOver(jid);
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
    } catch (XmlException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  /// Reads the configuration of a stored room.
  public RoomConfig readConfig(RoomStore.Room stored) {
    try {
      return config(StoredSettings.read(stored.jid(), stored.settings()).form());
    } catch (XmlException | RoomConfigForm.BadFormException e) {
      throw damaged(e);
    }
  }

  /// The subject of a stored room; null if it has none, or an empty one.
  public @Nullable String readSubject(RoomStore.Room stored) {
    try {
      Subject subject = StoredSettings.read(stored.jid(), stored.settings()).subject();
      Element said = subject == null ? null : subject.message().payload(MucNames.SUBJECT);
      return said == null || said.text().isEmpty() ? null : said.text();
    } catch (XmlException e) {
      throw damaged(e);
    }
  }

  /// The configuration of a stored room as a submitted form.
  public Element form(RoomStore.Room stored) {
    return RoomConfigForm.write(readConfig(stored), "submit", settings.get().occupants())
        .build()
        .toElement();
  }

  private static StoreException damaged(Exception cause) {
    return new StoreException(
        StoreException.Category.DAMAGED, "the settings of a room cannot be read", cause);
  }

  private RoomConfig config(Element written) throws RoomConfigForm.BadFormException {
    DataForm form = DataForm.of(written);
    if (form == null) {
      throw new RoomConfigForm.BadFormException("the stored room has no form");
    }
    return RoomConfigForm.read(form, RoomConfig.of(settings.get()), settings.get().occupants());
  }

  private LiveRoom restored(RoomStore.Room stored, Affiliations affiliations)
      throws XmlException, RoomConfigForm.BadFormException {
    StoredSettings settings = StoredSettings.read(stored.jid(), stored.settings());
    RoomConfig config = config(settings.form());
    Room room = new Room(stored.jid(), stored.created(), config, affiliations, isAdmin, false);
    if (settings.used()) {
      room.setUsed();
    }
    room.setSubject(settings.subject());
    room.setHats(hats.read(stored.jid()));
    Jid creator = stored.creator() == null ? stored.jid() : stored.creator();
    return new LiveRoom(
        room,
        past(stored.jid(), config.history()),
        new OccupantIds(settings.salt()),
        bounds.memory().charge(creator),
        null);
  }

  /// Reads the history from the archive, where messages without a body, such as subjects, are
  /// skipped up to a limit. Every message is charged as it is read, so that rooms that load at the
  /// same time stay within the shared memory.
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
        Jid author = ArchivedAuthor.find(message);
        Message said = ArchivedAuthor.removeFrom(message);
        if (!history.addOldest(author == null ? room : author, entry.id(), said)) {
          return;
        }
        found++;
      }
      complete = page.complete();
    }
  }

  /// Reads from the archive which accounts have to wait before their next message (XEP-0500).
  private void restore(SlowMode slowMode, Room room, Instant now) {
    MessageArchive archive = context.port(MessageArchive.class);
    long after = (now.toEpochMilli() - room.config().slowMode() * 1_000L) * 1_000L;
    long before = Long.MAX_VALUE;
    SequencedMap<Jid, Long> newestFirst = new LinkedHashMap<>();
    boolean complete = false;
    for (int i = 0; i < HISTORY_PAGES && !complete; i++) {
      MessageArchive.Page page =
          archive.page(
              room.jid(),
              new MessageArchive.Filter(null, after, before, null, null),
              new MessageArchive.Portion(true, PAGE, PAGE_BYTES));
      for (MessageLog.Entry entry : page.entries().reversed()) {
        before = entry.id() - 1;
        Jid author = ArchivedAuthor.find(entry.message());
        if (author != null
            && entry.message().hasBody()
            && !room.affiliationOf(author).isAtLeast(Affiliation.ADMIN)) {
          newestFirst.putIfAbsent(author, entry.time().toEpochMilli());
        }
      }
      complete = page.complete();
    }
    newestFirst.reversed().forEach(slowMode::restore);
  }

  /// Stores a room for the first time, with changes that the caller applies afterwards.
  public LiveRoom saveNew(LiveRoom live, RoomConfig config, List<AffiliationChange> changes) {
    List<RoomStore.Affiliation> all = new ArrayList<>();
    live.room()
        .affiliations()
        .all()
        .forEach((user, entry) ->
            all.add(
                new RoomStore.Affiliation(
                    user, entry.affiliation().value(), entry.nick(), entry.reason())));
    all.addAll(stored(changes));
    useIfChanged(live.room(), config, changes);
    RoomStore.Room first = stored(live, config, live.room().subject());
    RoomCounts.Slot slot = live.slot();
    if (slot == null) {
      throw new IllegalStateException("the room is stored: " + first.jid());
    }
    slot.store(() -> store.save(first, all));
    return live.asStored();
  }

  /// Stores changes before they are applied; does nothing if the room is not stored yet.
  public void save(
      LiveRoom live,
      RoomConfig config,
      @Nullable Subject subject,
      List<AffiliationChange> changes) {
    useIfChanged(live.room(), config, changes);
    if (live.stored()) {
      store.save(stored(live, config, subject), stored(changes));
    }
  }

  /// Stores that the room is used, unless it was before: it stays from now on if it is persistent.
  public void use(LiveRoom live) {
    Room room = live.room();
    if (!room.isUsed()) {
      room.setUsed();
      save(live, room.config(), room.subject(), List.of());
    }
  }

  private static void useIfChanged(Room room, RoomConfig config, List<AffiliationChange> changes) {
    if (!changes.isEmpty() || !config.equals(room.config())) {
      room.setUsed();
    }
  }

  private static List<RoomStore.Affiliation> stored(List<AffiliationChange> changes) {
    return changes.stream()
        .map(change ->
            new RoomStore.Affiliation(
                change.user(), change.affiliation().value(), change.nick(), change.reason()))
        .toList();
  }

  /// Deletes a room from the store. One that was used can be restored for some time.
  public void delete(Room room) {
    if (room.isUsed() && settings.get().restoreTime().isPositive()) {
      removeRestorably(room.jid());
    } else {
      erase(room);
    }
  }

  /// Deletes a room from the store, with all that it has.
  public void erase(Room room) {
    store.remove(room.jid());
  }

  private void removeRestorably(Jid room) {
    // As many as there may be rooms of one account.
    boolean _ =
        store.removeRestorably(room, context.clock().instant(), settings.get().roomsPerAccount());
  }

  private RoomStore.Room stored(LiveRoom live, RoomConfig config, @Nullable Subject subject) {
    Element form =
        RoomConfigForm.write(config, "submit", settings.get().occupants()).build().toElement();
    Room room = live.room();
    return new RoomStore.Room(
        room.jid(),
        live.cost().user(),
        room.created(),
        config.persistent() && room.isUsed(),
        config.listed(),
        config.name(),
        new StoredSettings(live.ids().salt(), room.isUsed(), form, subject).write());
  }
}
