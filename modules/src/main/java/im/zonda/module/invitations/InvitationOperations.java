package im.zonda.module.invitations;

import im.zonda.jid.Jid;
import im.zonda.operation.Field;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of administrators on invitations.
public final class InvitationOperations {
  static final String HOST = "the host";

  /// An invitation to make.
  public record Draft(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("the name that the new account must have; any if none is given")
          @Nullable String username,
      @Field("the account that invites and becomes a contact; the host itself if none is given")
          @Nullable Jid inviter,
      @Field("the circle that the new account joins") @Nullable String circle,
      @Field("for how long it is valid; as the configuration says if none is given")
          @Nullable Duration time) {}

  /// An invitation. Its token is not stored, so that its link is shown once, when it is made.
  public record Described(
      @Field("the identifier") String id,
      @Field("until when it is valid") Instant expires,
      @Field("who has made it: an account, or the host") Jid inviter,
      @Field("whether an account is created with it") boolean createsAccount,
      @Field("the name that the new account must have") @Nullable String username,
      @Field("the circle that the new account joins") @Nullable String circle) {}

  /// An invitation that was made.
  public record Made(
      @Field("the address of its page, to send to a person") @Nullable String page,
      @Field("the link for apps") String uri,
      @Field("the invitation") Described invitation) {}

  /// `invitation.create`.
  public static final Operation<Draft, Made> CREATE =
      Operation.change("invitation.create", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/invitations",
              "Make a link by which somebody creates an account",
              Draft.class,
              Made.class);

  /// Whose invitations to list.
  public record Wanted(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("the account that has made them; the host itself if none is given")
          @Nullable Jid inviter,
      @Field("whether those of the host and of all accounts are listed; inviter is not used then")
          boolean all,
      @Field("where to go on: the value of next of the page before") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// Invitations. There may be less of them than asked for although there are more.
  public record Listed(
      @Field("the invitations of each inviter, in the order of their identifiers")
          List<Described> invitations,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `invitation.list`.
  public static final Operation<Wanted, Listed> LIST =
      Operation.read("invitation.list", Right.INVITATIONS)
          .at(
              "GET /hosts/{host}/invitations",
              "List the invitations of the host, an account or all that are valid",
              Wanted.class,
              Listed.class);

  /// An invitation to revoke.
  public record Revoked(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("the token, a link with it, or the identifier") String invitation,
      @Field("the account that has made it, for an identifier; the host itself if none is given")
          @Nullable Jid inviter) {}

  /// What was revoked.
  public record Revocation(@Field("the identifier of the invitation") String id) {}

  /// `invitation.revoke`.
  public static final Operation<Revoked, Revocation> REVOKE =
      Operation.change("invitation.revoke", Right.INVITATIONS)
          .at(
              "POST /hosts/{host}/invitations/revoke",
              "Revoke an invitation",
              Revoked.class,
              Revocation.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(CREATE, LIST, REVOKE);

  private InvitationOperations() {}
}
