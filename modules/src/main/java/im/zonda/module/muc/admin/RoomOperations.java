package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.module.muc.room.Affiliation;
import im.zonda.module.muc.room.Role;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of administrators on rooms. They read what is there from the store, and have the
/// home of a room do the rest, on whatever node of a cluster that is.
public final class RoomOperations {
  static final String THE_ROOM = "the address of the room";
  static final String THE_HOST = "the host";
  static final String REASON = "why, for those who are in the room";

  /// A property by which rooms are chosen.
  public enum Property {
    /// Everybody can find it.
    PUBLIC,
    /// Only those who know the address find it.
    HIDDEN,
    /// It stays when it is empty.
    PERSISTENT,
    /// It goes when it is empty.
    TEMPORARY,
    /// Nobody is in it.
    EMPTY,
    /// Somebody is in it.
    OCCUPIED
  }

  /// In which order rooms are listed.
  public enum Order {
    /// That of their addresses.
    ADDRESS,
    /// The fullest first: only rooms of this node of a cluster that somebody is in.
    OCCUPANTS,
    /// The latest created first.
    CREATED
  }

  /// A setting that is on or off.
  public enum Switch {
    ON,
    OFF
  }

  /// A room.
  public record Chosen(@Field(THE_ROOM) Jid room) {}

  /// Which rooms to list.
  public record Wanted(
      @Field(value = THE_HOST, form = Field.Form.DOMAIN) String host,
      @Field(value = "only rooms that are all of this", max = 6) List<Property> only,
      @Field(
              value =
                  "the order: by occupants, the fullest first, are only rooms of this node that"
                      + " somebody is in; by created, the latest first",
              fallback = "address")
          Order order,
      @Field("only rooms after this place in the order; in that of addresses a name")
          @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A room in a list.
  public record Line(
      @Field("the address") Jid room,
      @Field("the name for people") String name,
      @Field("whether everybody can find it") boolean listed,
      @Field("whether it stays when it is empty") boolean persistent,
      @Field("who has created it; null for the host itself") @Nullable Jid creator,
      @Field("when it was created") Instant created,
      @Field("how many are in it; null if another node of the cluster has it")
          @Nullable Integer occupants) {}

  /// Rooms.
  public record Lines(
      @Field("the rooms; a page may have fewer than asked for") List<Line> rooms,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `room.list`.
  public static final Operation<Wanted, Lines> LIST =
      Operation.read("room.list", Right.ROOMS)
          .at("GET /hosts/{host}/rooms", "List the rooms of a host", Wanted.class, Lines.class);

  /// How a room is configured.
  public record Settings(
      @Field("the name") String name,
      @Field("a short description") String description,
      @Field("whether everybody can find it") boolean listed,
      @Field("whether it stays when it is empty") boolean persistent,
      @Field("whether only members may enter") boolean membersOnly,
      @Field("whether those without affiliation enter without voice") boolean moderated,
      @Field("whether all occupants see addresses") boolean nonAnonymous,
      @Field("whether a password is needed to enter") boolean password,
      @Field("whether messages are archived") boolean archive,
      @Field("whether all occupants may change the subject") boolean changeSubject,
      @Field("whether all occupants may invite others") boolean invites,
      @Field("how many sessions may be in it") int occupants,
      @Field("how many messages those who enter get") int history,
      @Field("seconds that somebody waits between two messages; 0 for none") int slowMode) {}

  /// A room with its settings.
  public record Shown(
      @Field(THE_ROOM) Jid room,
      @Field(value = "its subject", form = Field.Form.LINES) @Nullable String roomSubject,
      @Field("how it is configured") Settings settings,
      @Field("who has created it; null for the host itself") @Nullable Jid creator,
      @Field("when it was created") Instant created,
      @Field("its owners") List<Jid> owners,
      @Field("how many affiliations it has") int affiliations,
      @Field("how many are in it") int occupants,
      @Field("when the oldest message of the archive was sent") @Nullable Instant oldest,
      @Field("when the latest message of the archive was sent") @Nullable Instant latest) {}

  /// `room.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("room.show", Right.ROOMS)
          .at("GET /rooms/{room}", "Show a room", Chosen.class, Shown.class);

  /// A room to make.
  public record Draft(
      @Field(THE_ROOM) Jid room,
      @Field("the account that owns it") Jid owner,
      @Field("the name for people") @Nullable String name,
      @Field("whether only members may enter") boolean membersOnly,
      @Field("whether everybody can find it") boolean listed) {}

  /// `room.create`.
  public static final Operation<Draft, Nothing> CREATE =
      Operation.change("room.create", Right.ROOMS)
          .at("PUT /rooms/{room}", "Create a room that stays", Draft.class, Nothing.class);

  /// Settings to change; those that are null stay.
  public record Change(
      @Field(THE_ROOM) Jid room,
      @Field("the name") @Nullable String name,
      @Field("a short description") @Nullable String description,
      @Field("whether everybody can find it") @Nullable Switch listed,
      @Field("whether it stays when it is empty") @Nullable Switch persistent,
      @Field("whether only members may enter") @Nullable Switch membersOnly,
      @Field("whether those without affiliation enter without voice") @Nullable Switch moderated,
      @Field("whether all occupants see addresses") @Nullable Switch nonAnonymous,
      @Field("the password to enter; an empty one for none") @Nullable Secret password,
      @Field("whether messages are archived") @Nullable Switch archive,
      @Field("whether all occupants may change the subject") @Nullable Switch changeSubject,
      @Field("whether all occupants may invite others") @Nullable Switch invites,
      @Field("how many sessions may be in it") @Nullable Integer occupants,
      @Field("how many messages those who enter get") @Nullable Integer history,
      @Field("seconds that somebody waits between two messages; 0 for none")
          @Nullable Integer slowMode) {}

  /// `room.configure`.
  public static final Operation<Change, Nothing> CONFIGURE =
      Operation.change("room.configure", Right.ROOMS)
          .at("PATCH /rooms/{room}", "Change settings of a room", Change.class, Nothing.class);

  /// A part of what a room has.
  public record Portion(
      @Field(THE_ROOM) Jid room,
      @Field("only those after this one") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// Somebody in a room.
  public record Occupant(
      @Field("the nickname") String nick,
      @Field("the address of a session") Jid address,
      @Field("the affiliation") Affiliation affiliation,
      @Field("the role") Role role,
      @Field("how many sessions") int sessions) {}

  /// Who is in a room.
  public record Occupants(
      @Field("how many are in it") int count,
      @Field("some of them, in the order of their nicknames") List<Occupant> occupants,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `room.occupants`.
  public static final Operation<Portion, Occupants> OCCUPANTS =
      Operation.read("room.occupants", Right.ROOMS)
          .at(
              "GET /rooms/{room}/occupants",
              "List who is in a room",
              Portion.class,
              Occupants.class);

  /// Somebody to be removed from a room.
  public record Kicked(
      @Field(THE_ROOM) Jid room,
      @Field(value = "the nickname", max = 100) String nick,
      @Field(value = "why", max = 1_000) @Nullable String reason) {}

  /// `room.kick`.
  public static final Operation<Kicked, Nothing> KICK =
      Operation.change("room.kick", Right.ROOMS)
          .at(
              "POST /rooms/{room}/kick",
              "Remove somebody from a room",
              Kicked.class,
              Nothing.class);

  /// Which affiliations to list.
  public record OfRoom(
      @Field(THE_ROOM) Jid room,
      @Field("only those") @Nullable Affiliation affiliation,
      @Field("only those after this address") @Nullable Jid after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// What a user is in a room.
  public record Affiliated(
      @Field("the address, or a domain for all its users") Jid user,
      @Field("the affiliation") Affiliation affiliation,
      @Field("the nickname that is reserved") @Nullable String nick,
      @Field("why") @Nullable String reason) {}

  /// Affiliations.
  public record Affiliations(
      @Field("the affiliations, in the order of the addresses") List<Affiliated> affiliations,
      @Field(Field.NEXT) @Nullable Jid next) {}

  /// `room.affiliations`.
  public static final Operation<OfRoom, Affiliations> AFFILIATIONS =
      Operation.read("room.affiliations", Right.ROOMS)
          .at(
              "GET /rooms/{room}/affiliations",
              "List owners, admins, members and outcasts of a room",
              OfRoom.class,
              Affiliations.class);

  /// An affiliation to give.
  public record Given(
      @Field(THE_ROOM) Jid room,
      @Field("the address, or a domain for all its users") Jid user,
      @Field("the affiliation; none takes it") Affiliation affiliation,
      @Field(value = "why", max = 1_000) @Nullable String reason) {}

  /// `room.affiliate`.
  public static final Operation<Given, Nothing> AFFILIATE =
      Operation.change("room.affiliate", Right.ROOMS)
          .at(
              "PUT /rooms/{room}/affiliations/{user}",
              "Give a user an affiliation with a room",
              Given.class,
              Nothing.class);

  /// A room to destroy.
  public record Doomed(
      @Field(THE_ROOM) Jid room,
      @Field(value = REASON, max = 1_000) @Nullable String reason,
      @Field("another room, for those who are in it") @Nullable Jid alternate,
      @Field("whether it cannot be restored") boolean forever) {}

  /// `room.destroy`.
  public static final Operation<Doomed, Nothing> DESTROY =
      Operation.destroy("room.destroy", Right.ROOMS)
          .at("POST /rooms/{room}/destroy", "Destroy a room", Doomed.class, Nothing.class);

  /// An archive to clean.
  public record Cleaned(
      @Field(THE_ROOM) Jid room, @Field("remove messages before this time") Instant before) {}

  /// `room.clean`.
  public static final Operation<Cleaned, Nothing> CLEAN =
      Operation.destroy("room.clean", Right.ROOMS)
          .at(
              "POST /rooms/{room}/clean",
              "Remove old messages from the archive of a room",
              Cleaned.class,
              Nothing.class);

  /// Which removed rooms to list.
  public record OfHost(
      @Field(value = THE_HOST, form = Field.Form.DOMAIN) String host,
      @Field("only rooms that had this address") @Nullable Jid room,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A room that was removed.
  public record Removed(
      @Field("the address") Jid room,
      @Field("tells it from others that had the address") long number,
      @Field("the name for people") String name,
      @Field("who has created it; null for the host itself") @Nullable Jid creator,
      @Field("when it was removed") Instant removed,
      @Field("until when it can be restored") Instant end) {}

  /// Removed rooms.
  public record RemovedRooms(@Field("the rooms, the last removed one first") List<Removed> rooms) {}

  /// `room.removed`.
  public static final Operation<OfHost, RemovedRooms> REMOVED =
      Operation.read("room.removed", Right.ROOMS)
          .at(
              "GET /hosts/{host}/removed-rooms",
              "List the rooms that can be restored",
              OfHost.class,
              RemovedRooms.class);

  /// A removed room to restore.
  public record Restored(
      @Field(THE_ROOM) Jid room,
      @Field("its number; the last removed one if none is given") @Nullable Long number) {}

  /// `room.restore`.
  public static final Operation<Restored, Nothing> RESTORE =
      Operation.change("room.restore", Right.ROOMS)
          .at(
              "POST /rooms/{room}/restore",
              "Restore a removed room",
              Restored.class,
              Nothing.class);

  /// Which rooms are not used.
  public record Unused(
      @Field(value = THE_HOST, form = Field.Form.DOMAIN) String host,
      @Field("nobody has written to them since") Instant since,
      @Field("only list the rooms") boolean dryRun,
      @Field("only rooms after this name, of a list") @Nullable String after,
      @Field(value = REASON, max = 1_000) @Nullable String reason) {}

  /// A room that is not used.
  public record Idle(
      @Field("the address") Jid room,
      @Field("the name for people") String name,
      @Field("when somebody has written to it, or when it was created") Instant used) {}

  /// Rooms that are not used.
  public record IdleRooms(
      @Field("the rooms; a page may have few") List<Idle> rooms,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `room.destroy-idle`.
  public static final Operation<Unused, IdleRooms> DESTROY_IDLE =
      Operation.destroy("room.destroy-idle", Right.ROOMS)
          .at(
              "POST /hosts/{host}/rooms/destroy-idle",
              "Destroy the rooms that nobody uses",
              Unused.class,
              IdleRooms.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(
          LIST,
          SHOW,
          CREATE,
          CONFIGURE,
          OCCUPANTS,
          KICK,
          AFFILIATIONS,
          AFFILIATE,
          DESTROY,
          CLEAN,
          REMOVED,
          RESTORE,
          DESTROY_IDLE);

  private RoomOperations() {}
}
