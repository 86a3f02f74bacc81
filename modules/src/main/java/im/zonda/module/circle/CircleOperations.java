package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of administrators on circles.
public final class CircleOperations {
  static final String HOST = "the host";
  static final String CIRCLE = "the name of the circle";
  static final String ACCOUNTS = "the accounts";

  /// Which circles to list.
  public record Wanted(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("only circles after this one") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A circle in a list.
  public record Line(
      @Field("the name") String name,
      @Field("the room; null if there is no room service") @Nullable Jid room,
      @Field("when it was created") Instant created) {}

  /// Circles.
  public record Lines(
      @Field("the circles, in the order of their rooms") List<Line> circles,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `circle.list`.
  public static final Operation<Wanted, Lines> LIST =
      Operation.read("circle.list", Right.INVITATIONS)
          .at("GET /hosts/{host}/circles", "List the circles", Wanted.class, Lines.class);

  /// A circle.
  public record Chosen(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host, @Field(CIRCLE) String circle) {}

  /// A circle with its members.
  public record Shown(
      @Field("the name") String name,
      @Field("the room; null if there is no room service") @Nullable Jid room,
      @Field("when it was created") Instant created,
      @Field("the members") List<Jid> members,
      @Field("the members that are not in all contact lists and the room yet") List<Jid> joining) {}

  /// `circle.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("circle.show", Right.INVITATIONS)
          .at(
              "GET /hosts/{host}/circles/{circle}",
              "Show the room and the members of a circle",
              Chosen.class,
              Shown.class);

  /// A circle with accounts.
  public record Accounts(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field(CIRCLE) String circle,
      @Field(value = ACCOUNTS, max = CircleModule.MOST_MEMBERS) List<Jid> accounts) {}

  /// `circle.create`.
  public static final Operation<Accounts, Shown> CREATE =
      Operation.change("circle.create", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/circles",
              "Create a circle and its room",
              Accounts.class,
              Shown.class);

  /// Accounts that were not members.
  public record Added(@Field("the accounts that were not members") List<Jid> accounts) {}

  /// `circle.add`.
  public static final Operation<Accounts, Added> ADD =
      Operation.change("circle.add", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/circles/{circle}/add",
              "Add members to a circle",
              Accounts.class,
              Added.class);

  /// `circle.remove-member`.
  public static final Operation<Accounts, Nothing> REMOVE_MEMBER =
      Operation.change("circle.remove-member", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/circles/{circle}/remove-member",
              "Remove members from a circle",
              Accounts.class,
              Nothing.class);

  /// A circle with another name.
  public record Renamed(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field(CIRCLE) String circle,
      @Field("its new name") String name) {}

  /// `circle.rename`.
  public static final Operation<Renamed, Shown> RENAME =
      Operation.change("circle.rename", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/circles/{circle}/rename",
              "Rename a circle; its room keeps its address",
              Renamed.class,
              Shown.class);

  /// `circle.delete`.
  public static final Operation<Chosen, Nothing> DELETE =
      Operation.destroy("circle.delete", Right.INVITATIONS)
          .at(
              "DELETE /hosts/{host}/circles/{circle}",
              "Delete a circle and its room",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(LIST, SHOW, CREATE, ADD, REMOVE_MEMBER, RENAME, DELETE);

  private CircleOperations() {}
}
