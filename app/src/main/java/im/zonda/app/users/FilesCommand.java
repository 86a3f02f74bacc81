package im.zonda.app.users;

import im.zonda.app.control.ControlCommand;
import im.zonda.config.ServerConfig;
import im.zonda.jid.Jid;
import im.zonda.store.AccountStore;
import im.zonda.store.Stores;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.store.UploadStore.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// `zonda user files`: what accounts have uploaded (XEP-0363), and its removal. The space of
/// removed files is free when the contents that no row names are removed.
///
/// @param stores the accounts and their files
/// @param config the configuration in force
public record FilesCommand(Stores stores, Supplier<ServerConfig> config) implements ControlCommand {
  /// The name of the command on the control socket.
  public static final String NAME = "files";

  /// The argument by which all files of an account are removed.
  public static final String ALL = "all";

  /// The most files, or accounts, that are printed.
  private static final int LISTED = 1_000;

  private static final int PAGE = 500;

  /// Lists or removes files.
  ///
  /// @param arguments an account; behind it, the identifiers of files that are removed, or [#ALL].
  ///   Or a host, whose accounts that have files are listed
  @Override
  public String run(List<String> arguments) {
    Jid address = Jid.of(arguments.getFirst());
    if (!address.isBare() || !config.get().hosts().contains(address.domain())) {
      throw new IllegalArgumentException(
          address
              + " is not of this server; its hosts are "
              + String.join(", ", config.get().hosts()));
    }
    List<String> removed = arguments.subList(1, arguments.size());
    if (address.local() == null) {
      if (!removed.isEmpty()) {
        throw new IllegalArgumentException("name the account whose files are removed");
      }
      return usage(address.domain());
    }
    if (stores.accounts().find(address) == null) {
      throw new IllegalArgumentException("no such account: " + address);
    }
    return removed.isEmpty() ? list(address) : remove(address, removed);
  }

  private String usage(String domain) {
    AccountStore accounts = stores.accounts();
    StringBuilder text = new StringBuilder();
    int shown = 0;
    List<Jid> page = accounts.list(domain, null, PAGE);
    while (!page.isEmpty() && shown < LISTED) {
      for (Jid account : page) {
        Usage usage = stores.uploads().usage(account, Instant.EPOCH);
        if (usage.files() > 0 && shown < LISTED) {
          text.append(account).append(' ').append(sum(usage)).append('\n');
          shown++;
        }
      }
      page = page.size() < PAGE ? List.of() : accounts.list(domain, page.getLast(), PAGE);
    }
    return text.isEmpty() ? "no files of " + domain + "\n" : text.toString();
  }

  private static String sum(Usage usage) {
    return usage.files() + (usage.files() == 1 ? " file, " : " files, ") + usage.bytes() + " bytes";
  }

  private String list(Jid account) {
    StringBuilder text = new StringBuilder();
    for (Upload each : stores.uploads().list(account, Instant.EPOCH, LISTED)) {
      text.append(each.slot()).append(' ').append(each.created()).append(' ');
      text.append(each.size()).append(' ').append(each.type()).append(' ');
      text.append(each.name()).append('\n');
    }
    text.append(sum(stores.uploads().usage(account, Instant.EPOCH))).append('\n');
    return text.toString();
  }

  private String remove(Jid account, List<String> wanted) {
    UploadStore uploads = stores.uploads();
    int count = 0;
    if (wanted.equals(List.of(ALL))) {
      List<String> page = slots(account);
      while (!page.isEmpty()) {
        count += uploads.remove(page);
        page = slots(account);
      }
    } else {
      List<String> found = new ArrayList<>();
      for (String slot : wanted) {
        Upload file = uploads.find(slot);
        if (file == null || !file.owner().equals(account)) {
          throw new IllegalArgumentException(account + " has no file " + slot);
        }
        found.add(slot);
      }
      count = uploads.remove(found);
    }
    return "removed " + count + (count == 1 ? " file\n" : " files\n");
  }

  private List<String> slots(Jid account) {
    return stores.uploads().list(account, Instant.EPOCH, PAGE).stream().map(Upload::slot).toList();
  }
}
