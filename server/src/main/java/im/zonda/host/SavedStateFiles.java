package im.zonda.host;

import im.zonda.jid.Jid;
import im.zonda.module.SavedState;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// Saves the state of modules as files `<name>.<domain>` in the data folder.
///
/// @param folder the data folder
record SavedStateFiles(Path folder) implements SavedState {
  private static final Pattern WORD = Pattern.compile("[a-z]+");

  @Override
  public <T> void save(Jid domain, Codec<T> form, List<T> entries) {
    file(domain, form).write(entries);
  }

  @Override
  public <T> List<T> take(Jid domain, Codec<T> form) {
    return file(domain, form).take();
  }

  private <T> RestartFile<T> file(Jid domain, Codec<T> form) {
    if (!WORD.matcher(form.name()).matches()) {
      throw new IllegalArgumentException("not a lower-case word: " + form.name());
    }
    return new RestartFile<>(folder.resolve(form.name() + "." + domain.domain()), form);
  }
}
