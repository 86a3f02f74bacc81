package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.account.AccountRegistration.Result;
import im.zonda.account.DisabledAccounts;
import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.AccountTasks;
import im.zonda.module.admin.home.AccountTasks.Task;
import im.zonda.module.admin.home.Admins;
import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.operation.Secret;
import im.zonda.stanza.ErrorCondition;
import im.zonda.store.RosterItem;
import im.zonda.store.RosterStore;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations on single accounts.
public final class AccountOperations {
  private static final String VCARD = "vcard-temp";
  private static final String OWN = "This cannot be done with your own account.";

  /// An account.
  public record Chosen(@Field("the address of the account") Jid account) {}

  /// What is known of an account.
  public record Shown(
      @Field("the address of the account") Jid account,
      @Field("when it was created") Instant created,
      @Field("whether no client may log in to it") boolean disabled,
      @Field("since when it is disabled") @Nullable Instant disabledSince,
      @Field("when it is enabled again by itself") @Nullable Instant disabledUntil,
      @Field("why it is disabled") @Nullable String disabledReason,
      @Field("when a client has last logged in") @Nullable Instant lastLogin,
      @Field("how often clients log in, per minute") String loginsPerMinute,
      @Field("how many stanzas clients send, per second") String stanzasPerSecond,
      @Field("how many contacts it has") long contacts,
      @Field("how many files it has uploaded") long files,
      @Field(value = "how large these are together", form = Field.Form.BYTES) long fileBytes,
      @Field("the resources of its sessions") List<String> resources) {}

  /// A new account.
  public record New(
      @Field("the address of the account") Jid account,
      @Field("its password") Secret password,
      @Field("the e-mail address for its vCard") @Nullable String email,
      @Field("the given name for its vCard") @Nullable String givenName,
      @Field("the family name for its vCard") @Nullable String familyName) {}

  /// A new password.
  public record NewPassword(
      @Field("the address of the account") Jid account,
      @Field("the new password") Secret password) {}

  /// An account to disable.
  public record Disabled(
      @Field("the address of the account") Jid account,
      @Field(value = "why, for administrators", max = Disabling.MOST_CHARS) @Nullable String reason,
      @Field("when it is enabled again by itself") @Nullable Instant until) {}

  /// `account.show`.
  public static final Operation<Chosen, Shown> SHOW =
      Operation.read("account.show", Right.ACCOUNTS)
          .at("GET /accounts/{account}", "Show an account", Chosen.class, Shown.class);

  /// `account.create`.
  public static final Operation<New, Chosen> CREATE =
      Operation.change("account.create", Right.ACCOUNTS)
          .at("POST /accounts/{account}", "Create an account", New.class, Chosen.class);

  /// `account.password`.
  public static final Operation<NewPassword, Nothing> PASSWORD =
      Operation.change("account.password", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/password",
              "Change the password of an account",
              NewPassword.class,
              Nothing.class);

  /// `account.disable`.
  public static final Operation<Disabled, Nothing> DISABLE =
      Operation.change("account.disable", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/disable",
              "Disable an account and end its sessions",
              Disabled.class,
              Nothing.class);

  /// `account.enable`.
  public static final Operation<Chosen, Nothing> ENABLE =
      Operation.change("account.enable", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/enable",
              "Enable a disabled account",
              Chosen.class,
              Nothing.class);

  /// `account.remove`.
  public static final Operation<Chosen, Nothing> REMOVE =
      Operation.destroy("account.remove", Right.ACCOUNTS)
          .at(
              "DELETE /accounts/{account}",
              "Remove an account with all its data",
              Chosen.class,
              Nothing.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL =
      List.of(SHOW, CREATE, PASSWORD, DISABLE, ENABLE, REMOVE);

  private static final String ABOVE =
      "This account is that of an administrator, who has rights that you do not have.";

  private final ModuleContext context;
  private final AccountTasks tasks;
  private final Admins admins;
  private final AccountRegistration accounts;
  private final DisabledAccounts disabled;

  /// @param context has the accounts of the host
  public AccountOperations(ModuleContext context, AccountTasks tasks, Admins admins) {
    this.context = context;
    this.tasks = tasks;
    this.admins = admins;
    accounts = context.port(AccountRegistration.class);
    disabled = context.port(DisabledAccounts.class);
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        SHOW.by((_, chosen) -> show(chosen.account())),
        CREATE.by(this::create),
        PASSWORD.by(this::setPassword),
        DISABLE.by(this::disable),
        ENABLE.by(this::enable),
        REMOVE.by(this::remove));
  }

  static <R extends Record> Outcome<R> unknown(Jid account) {
    return Outcome.notFound("No such account: " + account + ".");
  }

  /// Whether an administrator asks for something that would lock them out.
  private static boolean isOwn(Call call, Jid account) {
    return call.caller().via() == Caller.Via.ADHOC
        && call.caller().name().equals(account.toString());
  }

  private Outcome<Shown> show(Jid address) throws InterruptedException {
    Jid account = address.bare();
    Instant created = accounts.created(account);
    if (created == null) {
      return unknown(account);
    }
    AccountTasks.Result described = tasks.run(Task.DESCRIBE, account);
    ErrorCondition error = described.error();
    if (error != null) {
      return failed(account, error);
    }
    Disabling disabling = disabled.find(account);
    UploadStore.Usage usage = context.port(UploadStore.class).usage(account, Instant.EPOCH);
    return Outcome.done(
        new Shown(
            account,
            created,
            disabling != null,
            disabling == null ? null : disabling.since(),
            disabling == null ? null : disabling.until(),
            disabling == null ? null : disabling.reason(),
            described.lastLogin(),
            described.loginsPerMinute(),
            described.stanzasPerSecond(),
            contacts(account),
            usage.files(),
            usage.bytes(),
            described.sessions().stream().map(AccountTasks.SessionInfo::resource).toList()));
  }

  private long contacts(Jid account) {
    return context.port(RosterStore.class).load(account).items().stream()
        .filter(RosterItem::listed)
        .count();
  }

  private Outcome<Chosen> create(Call call, New wanted) throws InterruptedException {
    Jid account = wanted.account();
    if (!account.isBare() || account.local() == null || !isOfHost(account)) {
      return Outcome.invalid("account", account + " cannot be the address of an account.");
    }
    if (isAboveCaller(call, account)) {
      return Outcome.refused(Outcome.Reason.FORBIDDEN, ABOVE);
    }
    return switch (accounts.add(account, wanted.password().text())) {
      case Result.AddressTaken() -> Outcome.conflict(account + " exists already.");
      case Result.KeptElsewhere() ->
          Outcome.conflict("Accounts of " + account.domain() + " are kept elsewhere.");
      case Result.InvalidPassword(var _, String reason) -> Outcome.invalid("password", reason);
      case Result.NoAccount(), Result.NoPermission() ->
          throw new IllegalStateException("a new account needs nothing");
      case Result.Done() -> {
        context.forget(account);
        call.changed("account", null, account.toString());
        Element vcard = vcard(wanted);
        yield vcard == null || tasks.askOwn(account, vcard)
            ? Outcome.done(new Chosen(account))
            : new Outcome.Partly<>(
                new Chosen(account),
                List.of(
                    new Outcome.Failure(
                        account.toString(), "The names could not be stored in the vCard.")));
      }
    };
  }

  private boolean isOfHost(Jid account) {
    return account.domain().equals(context.domain().domain());
  }

  /// A vCard with what is known of the person; null if that is nothing.
  private static @Nullable Element vcard(New account) {
    String given = account.givenName();
    String family = account.familyName();
    String email = account.email();
    if (email == null && given == null && family == null) {
      return null;
    }
    Element.Builder vcard = Element.builder(VCARD, "vCard");
    if (given != null || family != null) {
      String space = given == null || family == null ? "" : " ";
      String full =
          Objects.requireNonNullElse(given, "") + space + Objects.requireNonNullElse(family, "");
      Element.Builder name = Element.builder(VCARD, "N");
      if (family != null) {
        name.child("FAMILY", family);
      }
      if (given != null) {
        name.child("GIVEN", given);
      }
      vcard.child("FN", full).child(name.build());
    }
    if (email != null) {
      vcard.child(Element.builder(VCARD, "EMAIL").child("USERID", email).build());
    }
    return vcard.build();
  }

  /// Whether an account is that of an administrator, whose rights the caller would gain with it.
  private boolean isAboveCaller(Call call, Jid account) {
    return (accounts.isAdministrator(account) || admins.contains(account))
        && !admins.mayAppoint(call.caller());
  }

  private Outcome<Nothing> setPassword(Call call, NewPassword wanted) {
    Jid account = wanted.account().bare();
    if (isAboveCaller(call, account)) {
      return Outcome.refused(Outcome.Reason.FORBIDDEN, ABOVE);
    }
    return switch (accounts.setPassword(account, wanted.password().text())) {
      case Result.InvalidPassword(var _, String reason) -> Outcome.invalid("password", reason);
      case Result.NoAccount _, Result.AddressTaken _, Result.NoPermission _ -> unknown(account);
      case Result.KeptElsewhere() ->
          Outcome.conflict("The password of " + account + " is changed where the account is kept.");
      case Result.Done() -> {
        call.changed("password", "(secret)", "(secret)");
        yield Nothing.done();
      }
    };
  }

  private Outcome<Nothing> disable(Call call, Disabled wanted) throws InterruptedException {
    Jid account = wanted.account().bare();
    Instant now = context.clock().instant();
    Instant until = wanted.until();
    if (isOwn(call, account)) {
      return Outcome.conflict(OWN);
    }
    if (until != null && !until.isAfter(now)) {
      return Outcome.invalid("until", "until is in the past.");
    }
    Disabling before = disabled.find(account);
    AccountTasks.Result result = tasks.disable(account, new Disabling(now, until, wanted.reason()));
    ErrorCondition error = result.error();
    if (error != null) {
      return failed(account, error);
    }
    call.changed("disabled", word(before != null), word(true));
    return Nothing.done();
  }

  private Outcome<Nothing> enable(Call call, Chosen chosen) throws InterruptedException {
    Jid account = chosen.account().bare();
    Disabling before = disabled.find(account);
    ErrorCondition error = tasks.run(Task.ENABLE, account).error();
    if (error != null) {
      return failed(account, error);
    }
    call.changed("disabled", word(before != null), word(false));
    return Nothing.done();
  }

  private static String word(boolean is) {
    return Boolean.toString(is);
  }

  private Outcome<Nothing> remove(Call call, Chosen chosen) {
    Jid account = chosen.account().bare();
    if (isOwn(call, account)) {
      return Outcome.conflict(OWN);
    }
    if (!(accounts.remove(account) instanceof Result.Done)) {
      return unknown(account);
    }
    context.forget(account);
    call.changed("account", account.toString(), null);
    return Nothing.done();
  }

  /// Why nothing was done at the home of an account.
  static <R extends Record> Outcome<R> failed(Jid account, ErrorCondition error) {
    return error == ErrorCondition.ITEM_NOT_FOUND
        ? Outcome.notFound("There is no account or session " + account + ".")
        : Outcome.refused(
            Outcome.Reason.UNAVAILABLE,
            "It could not be done for " + account + ": " + error.elementName() + ".");
  }
}
