package im.zonda.module.muc;

import im.zonda.account.AccountRegistration;
import im.zonda.account.GuestAddress;
import im.zonda.config.Rooms;
import im.zonda.config.ServerConfig;
import im.zonda.directory.RoomDirectory;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.module.Ports;
import im.zonda.module.SavedState;
import im.zonda.module.ServiceHomes;
import im.zonda.module.Tracer;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.module.export.RoomArchives;
import im.zonda.module.muc.admin.AdminRequests;
import im.zonda.module.muc.admin.Invitations;
import im.zonda.module.muc.admin.OwnerRequests;
import im.zonda.module.muc.admin.PrivilegeChanges;
import im.zonda.module.muc.admin.RemovedRooms;
import im.zonda.module.muc.admin.RemovedUsers;
import im.zonda.module.muc.admin.RoomActions;
import im.zonda.module.muc.admin.RoomRegistration;
import im.zonda.module.muc.admin.RoomRemoval;
import im.zonda.module.muc.admin.RoomTasks;
import im.zonda.module.muc.admin.RoomsOfHost;
import im.zonda.module.muc.admin.SubmittedForms;
import im.zonda.module.muc.admin.VoiceRequests;
import im.zonda.module.muc.archive.ArchiveRequests;
import im.zonda.module.muc.archive.ModerationRequests;
import im.zonda.module.muc.archive.Retraction;
import im.zonda.module.muc.archive.RoomArchive;
import im.zonda.module.muc.archive.WrittenMessages;
import im.zonda.module.muc.discovery.ActivityField;
import im.zonda.module.muc.discovery.ChannelSearch;
import im.zonda.module.muc.discovery.HatCommands;
import im.zonda.module.muc.discovery.PublicRooms;
import im.zonda.module.muc.discovery.RoomCommands;
import im.zonda.module.muc.discovery.RoomDiscovery;
import im.zonda.module.muc.discovery.RoomVcards;
import im.zonda.module.muc.discovery.UniqueNames;
import im.zonda.module.muc.home.HatStore;
import im.zonda.module.muc.home.ImportedRooms;
import im.zonda.module.muc.home.RoomBounds;
import im.zonda.module.muc.home.RoomHome;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.occupant.MessageCommands;
import im.zonda.module.muc.occupant.OccupantRequests;
import im.zonda.module.muc.occupant.PresenceCommands;
import im.zonda.module.muc.occupant.RoomCatchUp;
import im.zonda.module.muc.occupant.RoomEntry;
import im.zonda.module.muc.occupant.RoomExit;
import im.zonda.module.muc.occupant.SessionRooms;
import im.zonda.module.muc.room.Room;
import im.zonda.module.muc.service.RoomMove;
import im.zonda.module.muc.service.RoomOpening;
import im.zonda.module.muc.service.RoomReplay;
import im.zonda.module.muc.service.RoomRestart;
import im.zonda.module.muc.service.RoomService;
import im.zonda.module.muc.stanza.RequestTable;
import im.zonda.module.muc.stanza.RoomBroadcast;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.store.ClusterLog;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.RoomStore;
import im.zonda.store.StanzaIds;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Multi-User Chat: the room service of a virtual host, at a domain of its own.
@Xep(
    number = 45,
    version = "1.35.5",
    title = "Multi-User Chat",
    note =
        "Rooms have no log for the web. A locked room opens with the"
            + " default configuration when its creator speaks in it, or when another user enters"
            + " 10 seconds later, unless its form has been requested. An empty room that is persistent"
            + " only by default is removed as long as it has not been used")
@Xep(number = 421, version = "1.0.1", title = "Occupant identifiers for semi-anonymous MUCs")
public final class MucModule implements XmppModule, RoomDirectory, RoomArchives {
  private volatile Set<Jid> admins = Set.of();
  private volatile @Nullable RoomBounds installedBounds;
  private volatile @Nullable RoomDirectory directory;
  private volatile @Nullable RoomsOfHost roomsOfHost;
  private volatile @Nullable RoomRepository stored;
  private volatile @Nullable WrittenMessages written;

  /// A room that moves here from another server, as it is stored; persistent. Options that are
  /// unknown or not allowed keep their default.
  ///
  /// @param bare its address, creator and time; nothing else of it is used
  /// @param config values by the fields of the form (XEP-0045, section 15.5.3)
  /// @param subject the message that has set the subject, from the occupant's address, or null
  /// @param subjectTime when it was set
  /// @param salt a secret of the room
  public static RoomStore.Room imported(
      RoomStore.Room bare,
      Map<String, List<String>> config,
      @Nullable Message subject,
      Instant subjectTime,
      Rooms settings,
      String salt) {
    return ImportedRooms.room(
        bare.jid(),
        bare.creator(),
        bare.created(),
        config,
        subject == null ? null : new Room.Subject(subject.packed(), subjectTime),
        settings,
        salt);
  }

  @Override
  public String name() {
    return "muc";
  }

  @Override
  public Ports ports() {
    return Ports.of(
            AccountRegistration.class,
            RoomStore.class,
            MessageLog.class,
            ClusterLog.class,
            MessageArchive.class,
            StanzaIds.class,
            SavedState.class,
            ExternalComponents.class,
            Journal.class,
            Tracer.class)
        .withRoomKeyValues("hats")
        .withRoomKeyValues("vcard");
  }

  @Override
  public void install(ModuleContext context) {
    Supplier<Rooms> settings = () -> context.config().rooms();
    Jid domain = Jid.of(null, settings.get().prefix() + "." + context.domain().domain(), null);
    admins = admins(settings.get());
    AtomicReference<ServiceHomes<RoomHome>> served = new AtomicReference<>();
    Supplier<ServiceHomes<RoomHome>> places = served::get;
    RoomBounds bounds = RoomBounds.of(context, domain, Runtime.getRuntime().maxMemory());
    installedBounds = bounds;
    RoomRepository repository = new RoomRepository(context, settings, this::isAdmin, bounds);
    RoomBroadcast broadcast = new RoomBroadcast(context, () -> settings.get().quietAbove());
    RoomExit exit = new RoomExit(context, broadcast, repository, places);
    Predicate<Jid> creators = user -> mayCreate(settings.get(), context.domain(), user);
    RoomEntry entry = new RoomEntry(context, settings, broadcast, repository, creators);
    Retraction retraction = new Retraction(context, places);
    RoomArchive archive = new RoomArchive(context, retraction);
    RequestTable requests = new RequestTable().addRoomInfo(new ActivityField(context));
    new ArchiveRequests(context).install(requests);
    new ModerationRequests(context, settings, broadcast, archive, retraction).install(requests);
    PrivilegeChanges changes = new PrivilegeChanges(context, broadcast, repository, exit);
    installPrivileges(context, settings, changes, requests);
    new OwnerRequests(context, settings, repository, broadcast, exit, changes).install(requests);
    RoomCommands commands = new RoomCommands(context.ids());
    commands.install(requests);
    new HatCommands(context, broadcast, repository, new HatStore(context))
        .install(requests, commands);
    installDiscovery(context, domain, repository, broadcast, requests, commands);
    directory =
        new PublicRooms(context.port(RoomStore.class), domain, repository::readConfig, places);
    new Invitations(context, settings, repository).install(requests);
    new UniqueNames(context.ids(), domain, creators).install(requests);
    new RemovedUsers(context, changes, exit).install(requests);
    offerRooms(new RoomsOfHost(context, domain, repository, changes, exit), requests);
    new RoomTasks(context, settings, repository, exit).install(requests);
    RemovedRooms removed = new RemovedRooms(context, settings, domain, repository, exit);
    offerOperations(context, removed, repository, places, requests);
    OccupantRequests occupants = new OccupantRequests(context, settings, places);
    occupants.install(requests);
    served.set(
        context.serve(
            new RoomService(
                domain,
                context,
                repository,
                new RoomService.Handlers(
                    new RoomOpening(context.clock(), repository, exit),
                    new PresenceCommands(context, settings, broadcast, entry, exit),
                    new MessageCommands(context, settings, broadcast, archive, repository, exit),
                    occupants),
                requests,
                new RoomMove(
                    context,
                    new RoomRestart(context, domain, broadcast, exit, places),
                    new RoomReplay(context, broadcast, repository)))));
    if (context.port(ClusterLog.class).keepsOrigins()) {
      new SessionRooms(context, domain).install();
      new RoomCatchUp(context, broadcast, entry).install(requests);
    }
  }

  /// Installs what changes roles and affiliations.
  private static void installPrivileges(
      ModuleContext context,
      Supplier<Rooms> settings,
      PrivilegeChanges changes,
      RequestTable requests) {
    new AdminRequests(context, settings, changes).install(requests);
    new SubmittedForms(
            context,
            new VoiceRequests(context, settings, changes),
            new RoomRegistration(context, settings, changes))
        .install(requests);
  }

  private void offerOperations(
      ModuleContext context,
      RemovedRooms removed,
      RoomRepository repository,
      Supplier<ServiceHomes<RoomHome>> places,
      RequestTable requests) {
    removed.install(requests);
    Jid service = removed.domain();
    WrittenMessages messages = new WrittenMessages(context, service);
    messages.install(requests);
    written = messages;
    stored = repository;
    new RoomActions(context, service, repository, places).offers().forEach(context::offer);
    new RoomRemoval(context, removed, repository).offers().forEach(context::offer);
  }

  private void offerRooms(RoomsOfHost rooms, RequestTable requests) {
    rooms.install(requests);
    roomsOfHost = rooms;
  }

  /// Installs what finds rooms.
  private static void installDiscovery(
      ModuleContext context,
      Jid domain,
      RoomRepository repository,
      RoomBroadcast broadcast,
      RequestTable requests,
      RoomCommands commands) {
    new RoomVcards(context, broadcast, repository).install(requests);
    RoomStore rooms = context.port(RoomStore.class);
    new RoomDiscovery(rooms, domain, RoomService.TITLE, requests, commands).install();
    new ChannelSearch(rooms, domain, repository::readConfig).install(requests);
  }

  @Override
  public boolean reload(ServerConfig before, ServerConfig after) {
    if (!before.rooms().prefix().equals(after.rooms().prefix())) {
      return false;
    }
    admins = admins(after.rooms());
    RoomBounds bounds = installedBounds;
    if (bounds != null) {
      bounds.resize(after, Runtime.getRuntime().maxMemory());
    }
    return true;
  }

  @Override
  public void stop() {
    directory = null;
    roomsOfHost = null;
    written = null;
    stored = null;
  }

  /// The address of the room service; null if the module is not installed.
  @Override
  public @Nullable Jid service() {
    RoomsOfHost present = roomsOfHost;
    return present == null ? null : present.service();
  }

  /// Makes a room of the host itself if there is none, makes users its members, and takes the
  /// affiliation of others. The room is persistent, members-only and not public; members cannot
  /// invite others. Users who have an affiliation keep it; bans stay. Can be repeated. Returns at
  /// once.
  ///
  /// @param former names that the room had; one with another name has been named by someone else
  /// @param leaving those who lose their affiliation
  /// @param answered gets the answer; must not block. The error `conflict` says that someone else
  ///   has a room with this address
  /// @throws IllegalStateException if the module is not installed
  public void keepRoom(
      Jid room,
      String name,
      Set<String> former,
      List<Jid> members,
      List<Jid> leaving,
      Consumer<Iq> answered) {
    rooms().keep(room, name, former, members, leaving, answered);
  }

  /// Destroys a room of the host itself if there is one. Returns at once.
  ///
  /// @param answered gets the answer; must not block
  /// @throws IllegalStateException if the module is not installed
  public void destroyRoom(Jid room, Consumer<Iq> answered) {
    rooms().destroy(room, answered);
  }

  @Override
  public long rewrite(Jid user, Written how, long before, boolean change, LongConsumer looked)
      throws InterruptedException {
    WrittenMessages present = written;
    return present == null ? 0 : present.rewrite(user, how, before, change, looked);
  }

  @Override
  public Element configuration(RoomStore.Room room) {
    RoomRepository present = stored;
    if (present == null) {
      throw new IllegalStateException("there is no room service");
    }
    return present.form(room);
  }

  private RoomsOfHost rooms() {
    RoomsOfHost present = roomsOfHost;
    if (present == null) {
      throw new IllegalStateException("there is no room service");
    }
    return present;
  }

  @Override
  public List<PublicRoom> publicRooms(int most) {
    RoomDirectory present = directory;
    return present == null ? List.of() : present.publicRooms(most);
  }

  private static Set<Jid> admins(Rooms settings) {
    return settings.admins().stream().map(Jid::of).collect(Collectors.toUnmodifiableSet());
  }

  private boolean isAdmin(Jid user) {
    return admins.contains(user);
  }

  private boolean mayCreate(Rooms settings, Jid host, Jid user) {
    if (GuestAddress.isGuest(user)) {
      return false; // the room would have an owner who never comes back
    }
    return switch (settings.creation()) {
      case EVERYONE -> true;
      case ACCOUNTS -> user.domain().equals(host.domain()) || isAdmin(user);
      case ADMINS -> isAdmin(user);
    };
  }
}
