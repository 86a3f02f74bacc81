package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.AccountTasks;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.xml.Element;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations on the rosters of accounts.
public final class RosterOperations {
  private static final String NAMESPACE = "jabber:iq:roster";

  /// A contact.
  public record Contact(
      @Field("the address of the contact") Jid contact,
      @Field("the name that the user has given") @Nullable String name,
      @Field("who gets whose presence: none, to, from or both") String subscription,
      @Field("whether the user has asked for the contact's presence") boolean asked,
      @Field("whether the contact's request is approved in advance") boolean approved,
      @Field("the groups") List<String> groups) {}

  /// A roster.
  public record Roster(
      @Field("the address of the account") Jid account,
      @Field("the contacts") List<Contact> contacts) {}

  /// A contact to add or to change.
  public record Put(
      @Field("the address of the account") Jid account,
      @Field("the address of the contact") Jid contact,
      @Field("the name of the contact") @Nullable String name,
      @Field(value = "the groups", max = 50) List<String> groups) {}

  /// A contact of an account.
  public record Chosen(
      @Field("the address of the account") Jid account,
      @Field("the address of the contact") Jid contact) {}

  /// `roster.show`.
  public static final Operation<AccountOperations.Chosen, Roster> SHOW =
      Operation.read("roster.show", Right.ACCOUNTS)
          .at(
              "GET /accounts/{account}/roster",
              "Show the contacts of an account",
              AccountOperations.Chosen.class,
              Roster.class);

  /// `roster.put`.
  public static final Operation<Put, Nothing> PUT =
      Operation.change("roster.put", Right.ACCOUNTS)
          .at(
              "PUT /accounts/{account}/roster/{contact}",
              "Add a contact to an account, or change its name and groups",
              Put.class,
              Nothing.class);

  /// `roster.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.destroy("roster.remove", Right.ACCOUNTS)
          .at(
              "DELETE /accounts/{account}/roster/{contact}",
              "Remove a contact of an account with the subscriptions in both directions",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(SHOW, PUT, REMOVE);

  private final RosterStore rosters;
  private final AccountRegistration accounts;
  private final AccountTasks tasks;

  /// @param context has the accounts of the host
  public RosterOperations(ModuleContext context, AccountTasks tasks) {
    rosters = context.port(RosterStore.class);
    accounts = context.port(AccountRegistration.class);
    this.tasks = tasks;
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        SHOW.by((_, chosen) -> show(chosen.account().bare())),
        PUT.by(this::put),
        REMOVE.by(this::remove));
  }

  private Outcome<Roster> show(Jid account) {
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    return Outcome.done(
        new Roster(
            account,
            rosters.load(account).items().stream()
                .filter(RosterItem::listed)
                .map(RosterOperations::contact)
                .toList()));
  }

  private static Contact contact(RosterItem item) {
    return new Contact(
        item.jid(),
        item.name(),
        item.subscription().value(),
        item.ask(),
        item.approved(),
        item.groups());
  }

  private @Nullable RosterItem find(Jid account, Jid contact) {
    return rosters.load(account).items().stream()
        .filter(each -> each.jid().equals(contact) && each.listed())
        .findFirst()
        .orElse(null);
  }

  private static String text(@Nullable RosterItem item) {
    return item == null ? "" : Objects.requireNonNullElse(item.name(), "") + " " + item.groups();
  }

  /// Done as if the user had done it, so that all clients learn of it.
  private Outcome<Nothing> put(Call call, Put wanted) throws InterruptedException {
    Jid account = wanted.account().bare();
    Jid contact = wanted.contact().bare();
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    String before = text(find(account, contact));
    Element.Builder item =
        Element.builder(NAMESPACE, "item")
            .attribute("jid", contact.toString())
            .attribute("name", wanted.name());
    wanted.groups().forEach(group -> item.child("group", group));
    if (!ask(account, item)) {
      return Outcome.conflict("The roster does not take the contact " + contact + ".");
    }
    call.changed("contact", before, text(find(account, contact)));
    return Nothing.done();
  }

  private Outcome<Nothing> remove(Call call, Chosen chosen) throws InterruptedException {
    Jid account = chosen.account().bare();
    Jid contact = chosen.contact().bare();
    RosterItem before = find(account, contact);
    if (before == null) {
      return Outcome.notFound(account + " has no contact " + contact + ".");
    }
    Element.Builder item =
        Element.builder(NAMESPACE, "item")
            .attribute("jid", contact.toString())
            .attribute("subscription", "remove");
    if (!ask(account, item)) {
      return Outcome.conflict("The contact " + contact + " could not be removed.");
    }
    call.changed("contact", text(before), null);
    return Nothing.done();
  }

  private boolean ask(Jid account, Element.Builder item) throws InterruptedException {
    return tasks.askOwn(account, Element.builder(NAMESPACE, "query").child(item.build()).build());
  }
}
