package im.zonda.module.group;

import im.zonda.group.GroupDefinition;
import im.zonda.jid.Jid;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Operation;
import im.zonda.operation.Right;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of administrators on shared groups.
public final class GroupOperations {
  /// The most members that one call adds or removes.
  static final int AT_A_TIME = 1_000;

  static final String HOST = "the host";
  static final String GROUP = "the id of the group";
  static final String NAME = "the name that contact lists show";
  static final String EVERYONE = "whether all accounts of the host are members";
  static final String GROUPS = "ids of groups whose members are members too";
  static final String HIDDEN = "whether members do not see each other because of this group";
  static final String SEEN_BY = "ids of groups whose members see this group too";
  static final String LIMIT =
      "how many people may see the group with everyone's presence; above that, presence comes once"
          + " someone has written";

  /// Which groups to list.
  public record Wanted(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("only groups after this one") @Nullable String after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A group in a list.
  public record Line(
      @Field(GROUP) String group,
      @Field(NAME) String name,
      @Field("settings, stored, or provider: only stored groups can be changed here")
          GroupDefinition.Source source,
      @Field("the number of members") int members,
      @Field("the number of people who see the members") int seenBy,
      @Field("whether presence comes only once someone has written") boolean large) {}

  /// Groups.
  public record Lines(
      @Field("the groups, in the order of their ids") List<Line> groups,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `group.list`.
  public static final Operation<Wanted, Lines> LIST =
      Operation.read("group.list", Right.ACCOUNTS)
          .at("GET /hosts/{host}/groups", "List the shared groups", Wanted.class, Lines.class);

  /// A group.
  public record Chosen(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host, @Field(GROUP) String group) {}

  /// A group with its rules.
  public record Shown(
      @Field(GROUP) String group,
      @Field(NAME) String name,
      @Field("settings, stored, or provider") GroupDefinition.Source source,
      @Field(EVERYONE) boolean everyone,
      @Field(GROUPS) List<String> groups,
      @Field(HIDDEN) boolean hidden,
      @Field(SEEN_BY) List<String> seenBy,
      @Field(LIMIT) int presenceLimit,
      @Field("the number of members, those of groups in it included") int members,
      @Field("the first members") List<Jid> first) {}

  /// `group.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("group.show", Right.ACCOUNTS)
          .at("GET /hosts/{host}/groups/{group}", "Show a shared group", Chosen.class, Shown.class);

  /// Which members to list.
  public record WantedMembers(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field(GROUP) String group,
      @Field("only members after this one") @Nullable Jid after,
      @Field(value = Field.LIMIT, fallback = "50", min = 1, max = 500) int limit) {}

  /// A member.
  public record Member(@Field("the account") Jid account) {}

  /// Members.
  public record Members(
      @Field("the members, those of groups in it included, in order") List<Member> members,
      @Field(Field.NEXT) @Nullable String next) {}

  /// `group.members`.
  public static final Operation<WantedMembers, Members> MEMBERS =
      Operation.read("group.members", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/groups/{group}/members",
              "List the members of a shared group",
              WantedMembers.class,
              Members.class);

  /// What a group is to be.
  public record Given(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("the id of the group: a word of lower-case letters, digits and hyphens") String group,
      @Field(NAME) String name,
      @Field(EVERYONE) boolean everyone,
      @Field(value = GROUPS, max = 100) List<String> groups,
      @Field(HIDDEN) boolean hidden,
      @Field(value = SEEN_BY, max = 100) List<String> seenBy,
      @Field(value = LIMIT, fallback = "500", max = 10_000) int presenceLimit) {}

  /// `group.create`.
  public static final Operation<Given, Shown> CREATE =
      Operation.change("group.create", Right.ACCOUNTS)
          .at(
              "POST /hosts/{host}/groups",
              "Create a shared group, without members of its own",
              Given.class,
              Shown.class);

  /// `group.change`.
  public static final Operation<Given, Shown> CHANGE =
      Operation.change("group.change", Right.ACCOUNTS)
          .at(
              "PUT /hosts/{host}/groups/{group}",
              "Change what a shared group is; its own members stay",
              Given.class,
              Shown.class);

  /// `group.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.destroy("group.remove", Right.ACCOUNTS)
          .at(
              "DELETE /hosts/{host}/groups/{group}",
              "Remove a shared group; its members lose each other unless they are contacts anyway",
              Chosen.class,
              Nothing.class);

  /// A group with accounts.
  public record Accounts(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field(GROUP) String group,
      @Field(value = "the accounts", max = AT_A_TIME) List<Jid> accounts) {}

  /// `group.add-member`.
  public static final Operation<Accounts, Nothing> ADD_MEMBER =
      Operation.change("group.add-member", Right.ACCOUNTS)
          .at(
              "POST /hosts/{host}/groups/{group}/add",
              "Add members to a shared group",
              Accounts.class,
              Nothing.class);

  /// `group.remove-member`.
  public static final Operation<Accounts, Nothing> REMOVE_MEMBER =
      Operation.change("group.remove-member", Right.ACCOUNTS)
          .at(
              "POST /hosts/{host}/groups/{group}/remove-member",
              "Remove members from a shared group",
              Accounts.class,
              Nothing.class);

  /// What a group would be.
  public record Planned(
      @Field(value = HOST, form = Field.Form.DOMAIN) String host,
      @Field("the id of the group, new or not") String group,
      @Field(EVERYONE) boolean everyone,
      @Field(value = GROUPS, max = 100) List<String> groups,
      @Field(HIDDEN) boolean hidden,
      @Field(value = SEEN_BY, max = 100) List<String> seenBy,
      @Field(value = LIMIT, fallback = "500", max = 10_000) int presenceLimit,
      @Field(value = "accounts that would be added", max = 100) List<Jid> add,
      @Field(value = "accounts that would be removed", max = 100) List<Jid> remove) {}

  /// What a change would mean for someone.
  public record Difference(
      @Field("the account whose contact list would change") Jid account,
      @Field("how many contacts it would get") int gains,
      @Field("how many contacts it would lose") int loses,
      @Field("the first that it would get") List<Jid> gained,
      @Field("the first that it would lose") List<Jid> lost) {}

  /// What a change would mean.
  public record Preview(
      @Field("the number of members that the group would have") int members,
      @Field("how many people would see them") int seenBy,
      @Field("whether presence would come only once someone has written") boolean large,
      @Field("how many contact lists would change") int changed,
      @Field("the first of these") List<Difference> differences) {}

  /// `group.preview`.
  public static final Operation<Planned, Preview> PREVIEW =
      Operation.read("group.preview", Right.ACCOUNTS)
          .at(
              "GET /hosts/{host}/groups/{group}/preview",
              "Show who would see whom after a change of a shared group, without making it",
              Planned.class,
              Preview.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(LIST, SHOW, MEMBERS, CREATE, CHANGE, REMOVE, ADD_MEMBER, REMOVE_MEMBER, PREVIEW);

  private GroupOperations() {}
}
