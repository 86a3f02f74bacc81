package im.zonda.module.admin;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.commands.CommandStage;
import im.zonda.module.forms.DataForm;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.store.UploadStore.Usage;
import im.zonda.xml.Element;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Commands that list and delete what an account has uploaded (XEP-0363), as `zonda user files`
/// does. They are in no XEP, so they have nodes and a form type of their own. The space of a
/// deleted file is free when the contents that no one needs are removed.
final class FileCommands {
  private static final Logger LOG = LoggerFactory.getLogger(FileCommands.class);
  private static final String NAMESPACE = "urn:zonda:files:0";

  /// The most files of a list, the oldest first.
  private static final int MOST_LISTED = 200;

  private static final int AT_A_TIME = 500;

  private final AccountRegistration accounts;
  private final UploadStore uploads;
  private final Jid host;

  FileCommands(ModuleContext context) {
    accounts = context.port(AccountRegistration.class);
    uploads = context.port(UploadStore.class);
    host = context.domain();
  }

  void addTo(CommandGroup commands) {
    commands
        .addOwn(NAMESPACE + "#list", "List User's Files", this::list)
        .addOwn(NAMESPACE + "#delete", "Delete User's Files", this::delete);
  }

  private static DataForm accountForm(String title, String instructions) {
    return DataForm.builder("form", NAMESPACE)
        .title(title)
        .instructions(instructions)
        .required("accountjid", "jid-single", "The Jabber ID of the account", List.of())
        .build();
  }

  /// The account of the first form; null if there is none, and the command has ended.
  private @Nullable Jid account(CommandStage stage) throws AdminForms.WrongValue {
    Jid account = AdminForms.account(stage.forms().getFirst(), "accountjid", host);
    if (accounts.created(account) == null) {
      stage.fail("No such account: " + account);
      return null;
    }
    return account;
  }

  private static String sum(Usage usage) {
    return usage.files() + (usage.files() == 1 ? " file, " : " files, ") + usage.bytes() + " bytes";
  }

  // ---- list

  private void list(CommandStage stage) throws AdminForms.WrongValue {
    if (stage.forms().isEmpty()) {
      stage.ask(
          accountForm("Listing a User's Files", "Fill out this form to list a user's files."));
      return;
    }
    Jid account = account(stage);
    if (account == null) {
      return;
    }
    List<Upload> files = uploads.list(account, Instant.EPOCH, MOST_LISTED);
    Usage usage = uploads.usage(account, Instant.EPOCH);
    String shown =
        usage.files() > files.size() ? "; these are the oldest " + files.size() + " of them" : "";
    stage.complete(files.isEmpty() ? List.of() : List.of(table(files)), sum(usage) + shown);
  }

  private static Element table(List<Upload> files) {
    return DataForm.builder("result", NAMESPACE)
        .text("file", "Identifier", null)
        .text("name", "Name", null)
        .text("type", "Media type", null)
        .text("bytes", "Size in bytes", null)
        .text("uploaded", "Time of upload", null)
        .build()
        .toTable(
            files.stream()
                .map(each ->
                    Map.of(
                        "file", each.slot(),
                        "name", each.name(),
                        "type", each.type(),
                        "bytes", Long.toString(each.size()),
                        "uploaded", each.created().toString()))
                .toList());
  }

  // ---- delete

  private void delete(CommandStage stage) throws AdminForms.WrongValue {
    if (stage.forms().isEmpty()) {
      stage.askNext(
          accountForm("Deleting a User's Files", "Choose the user; the files are chosen next."));
      return;
    }
    Jid account = account(stage);
    if (account == null) {
      return;
    }
    if (stage.forms().size() == 1) {
      List<Upload> files = uploads.list(account, Instant.EPOCH, MOST_LISTED);
      if (files.isEmpty()) {
        stage.complete(List.of(), account + " has no files.");
      } else {
        stage.ask(choice(account, files));
      }
      return;
    }
    int removed = remove(account, stage.forms().getLast());
    LOG.atInfo()
        .addKeyValue("jid", account)
        .addKeyValue("files", removed)
        .addKeyValue("by", stage.from())
        .log("files_removed_by_admin");
    stage.complete(List.of(), removed + (removed == 1 ? " file" : " files") + " deleted.");
  }

  private static DataForm choice(Jid account, List<Upload> files) {
    Map<String, String> options = new LinkedHashMap<>();
    for (Upload each : files) {
      options.put(
          each.slot(), each.name() + " (" + each.size() + " bytes, " + each.created() + ")");
    }
    return DataForm.builder("form", NAMESPACE)
        .title("Deleting a User's Files")
        .instructions("Choose the files of " + account + " to delete. The oldest come first.")
        .listMulti("files", "The files to delete", List.of(), options)
        .bool("all", "Delete all files of the user", false)
        .build();
  }

  private int remove(Jid account, DataForm form) throws AdminForms.WrongValue {
    DataForm.Field all = form.field("all");
    if (all != null && Boolean.TRUE.equals(all.bool())) {
      return removeAll(account);
    }
    DataForm.Field field = form.field("files");
    List<String> chosen = field == null ? List.of() : field.values();
    if (chosen.isEmpty()) {
      throw new AdminForms.WrongValue("Choose the files to delete, or all of them.");
    }
    List<String> found = new ArrayList<>();
    for (String slot : chosen) {
      Upload file = uploads.find(slot);
      if (file == null || !file.owner().equals(account)) {
        throw new AdminForms.WrongValue(account + " no longer has the file " + slot + ".");
      }
      found.add(slot);
    }
    return uploads.remove(found);
  }

  private int removeAll(Jid account) {
    int removed = 0;
    List<String> page = slots(account);
    while (!page.isEmpty()) {
      removed += uploads.remove(page);
      page = slots(account);
    }
    return removed;
  }

  private List<String> slots(Jid account) {
    return uploads.list(account, Instant.EPOCH, AT_A_TIME).stream().map(Upload::slot).toList();
  }
}
