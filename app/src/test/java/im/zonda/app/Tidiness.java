package im.zonda.app;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// What the formatter and the compiler do not see.
final class Tidiness {
  /// The most lines of a file.
  static final int FILE_LINES = 500;

  /// The most lines of a function.
  static final int FUNCTION_LINES = 60;

  // In pieces, so that this file does not find itself.
  private static final Map<Pattern, String> BANNED =
      Map.of(
          Pattern.compile("\\bFIX" + "ME\\b"),
          "do it, or open an issue",
          Pattern.compile("\\bXX" + "X\\b"),
          "do it, or open an issue",
          Pattern.compile("\\bTO" + "DO\\b(?!\\(#\\d+\\))"),
          "name the issue: TO" + "DO(#12)",
          Pattern.compile("(?<![\\w.])/(wo" + "rk|tm" + "p)/"),
          "a path of one machine",
          Pattern.compile(
              "repo1\\.ma"
                  + "ven\\.org|repo\\.ma"
                  + "ven\\.apache\\.org|registry\\.np"
                  + "mjs\\.org"
                  + "|py"
                  + "pi\\.org|files\\.python"
                  + "hosted\\.org|docker"
                  + "\\.io"),
          "the address of a package registry");

  /// Phrases without a clear subject, and words for which there is a better one, with the better
  /// wording. Matched against the paragraphs of comments and of Markdown.
  private static final Map<Pattern, String> TICS =
      Map.ofEntries(
          tic("so (?:many|much|long)\\b(?! as\\b)(?![^.;:]* that\\b)", "name the number: `count`"),
          tic("(?:go(?:es|ing|ne)?|went) on without|gone on", "'is evicted' or 'is fenced'"),
          tic("as it was(?=[,.;:)]|$| (?:before|then|when)\\b)", "'unchanged' or 'the former …'"),
          tic("about to", "'before …' or 'will'"),
          tic("any more(?! \\w+s\\b)", "'no longer'"),
          tic("made again|remade|mak(?:e|es|ing)\\b[^.;:]{0,30} sessions? again", "'recovered'"),
          tic("puts? (?:\\w+ ){0,2}back", "'restores' or 'recovers'"),
          tic("whoever", "'anyone', or name the one"),
          tic("anew", "'again'"),
          tic("of late", "'recently'"),
          tic("(?:lets?|letting) go of", "'discards' or 'releases'"),
          tic("nobody (?:is told|learns|notices|knows|needs|hears)", "'no one is notified'"),
          tic("is refused", "'is rejected'"),
          tic("(?:is|are|be|was|were) told(?! (?:from|apart)\\b)", "'is notified' or 'gets'"),
          tic("hears?|misheard", "'receives'"),
          tic("of no (?:account|interest)", "'obsolete' or 'ignored'"),
          tic("who(?:ever)? asks", "'the requester'"),
          tic("for good", "'permanently'"),
          tic("(?:stays?|left) behind", "'remains'"),
          tic("owed?|owes", "'pending'"),
          tic("dealt", "'handled'"),
          tic("no matter", "'regardless of'"),
          tic("gives? way|gave way", "'leaves' or 'yields'"),
          tic("has come (?:to|here|from|back)", "'has arrived', 'has moved' or 'has returned'"),
          tic("may be that", "'may'"),
          tic("(?:is|are|was|be) taken for", "'counts as'"),
          tic("(?:session|stream|connection)s? (?:is|are) (?:not )?over", "'has ended'"));

  private static final Pattern QUESTION =
      Pattern.compile("\\n(?!///)[^\\n]*\\n/// ((?:What|Who|Whose|How) [^\\n]*)");

  private static final Pattern COMMENT = Pattern.compile("^\\s*///?(.*)|^.*[;{}),]\\s+//(.*)");

  /// The most files of a package, `package-info.java` among them.
  static final int PACKAGE_FILES = 24;

  /// The most parameters of a constructor that is not a record's.
  static final int PARAMETERS = 6;

  private Tidiness() {}

  /// The number of Java files in each folder that has more than a package may have.
  static Map<String, Integer> largePackages(List<Path> files) {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Path file : files) {
      sizes.merge(String.valueOf(file.getParent()), 1, Integer::sum);
    }
    sizes.values().removeIf(size -> size <= PACKAGE_FILES);
    return sizes;
  }

  /// Banned words in a text, each with its line.
  static List<String> bannedWords(String name, String text) {
    List<String> found = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      for (Map.Entry<Pattern, String> banned : BANNED.entrySet()) {
        var matcher = banned.getKey().matcher(lines[i]);
        if (matcher.find()) {
          found.add(name + ":" + (i + 1) + ": \"" + matcher.group() + "\": " + banned.getValue());
        }
      }
    }
    return found;
  }

  private static Map.Entry<Pattern, String> tic(String phrase, String better) {
    int flags = Pattern.CASE_INSENSITIVE;
    return Map.entry(Pattern.compile("\\b(?:" + phrase + ")(?!\\w)", flags), "say " + better);
  }

  /// Phrases of the list in the comments of a Java file, each with the line where its paragraph
  /// begins.
  static List<String> ticsOfComments(String name, String text) {
    return tics(
        name, text, line -> COMMENT.matcher(line).replaceFirst("$1$2"), COMMENT.asPredicate());
  }

  /// Comments of types and packages that begin with a question word and not with a noun or a verb.
  static List<String> questions(String name, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = QUESTION.matcher("\n\n" + text);
    while (matcher.find()) {
      found.add(name + ": \"" + matcher.group(1) + "\": begin with what it is or does");
    }
    return found;
  }

  /// Phrases of the list in a page of Markdown, each with the line where its paragraph begins.
  static List<String> ticsOfPage(String name, String text) {
    return tics(name, text, line -> line, line -> !line.isBlank());
  }

  private static List<String> tics(
      String name, String text, UnaryOperator<String> words, Predicate<String> isProse) {
    Map<Integer, String> paragraphs = new TreeMap<>();
    int begin = 0;
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String prose = isProse.test(lines[i]) ? words.apply(lines[i]).strip() : "";
      if (prose.isEmpty()) {
        begin = 0;
      } else {
        begin = begin == 0 || prose.startsWith("@") || prose.startsWith("- ") ? i + 1 : begin;
        paragraphs.merge(begin, prose, (before, more) -> before + " " + more);
      }
    }
    List<String> found = new ArrayList<>();
    paragraphs.forEach((line, paragraph) ->
        TICS.forEach((tic, better) -> {
          var matcher = tic.matcher(paragraph);
          if (matcher.find()) {
            found.add(name + ":" + line + ": \"" + matcher.group() + "\": " + better);
          }
        }));
    return found;
  }

  /// The number of lines.
  static int lines(String text) {
    return (int) text.lines().count();
  }

  /// What is too large in one file, by name.
  ///
  /// @param longFunctions functions with their lines
  /// @param wideConstructors types with the number of their constructor's parameters
  record TooLarge(Map<String, Integer> longFunctions, Map<String, Integer> wideConstructors) {}

  /// Finds functions that are too long and constructors with too many parameters.
  static TooLarge tooLarge(String name, String text) throws IOException {
    return tooLarge(Map.of(name, text)).values().iterator().next();
  }

  /// The same in many files, by their names. One compiler reads them all.
  static Map<String, TooLarge> tooLarge(Map<String, String> texts) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> sources = new ArrayList<>();
    texts.forEach((name, text) -> sources.add(source(name, text)));
    JavacTask task = (JavacTask) compiler.getTask(null, null, _ -> {}, null, null, sources);
    Map<String, TooLarge> found = new TreeMap<>();
    for (CompilationUnitTree unit : task.parse()) {
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      TooLarge inFile = new TooLarge(new TreeMap<>(), new TreeMap<>());
      unit.accept(new Lengths(unit, positions, inFile), null);
      found.put(unit.getSourceFile().toUri().getPath().substring(1), inFile);
    }
    return found;
  }

  private static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + name.replace('\\', '/')), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  private static final class Lengths extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final TooLarge found;
    private @Nullable ClassTree type;

    Lengths(CompilationUnitTree unit, SourcePositions positions, TooLarge found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree inner, @Nullable Void unused) {
      ClassTree outer = type;
      type = inner;
      super.visitClass(inner, null);
      type = outer;
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      int parameters = method.getParameters().size();
      if (type != null
          && type.getKind() != Tree.Kind.RECORD
          && method.getName().contentEquals("<init>")
          && parameters > PARAMETERS) {
        found.wideConstructors.merge(type.getSimpleName().toString(), parameters, Math::max);
      }
      LineMap lines = unit.getLineMap();
      long from = lines.getLineNumber(positions.getStartPosition(unit, method));
      long end = positions.getEndPosition(unit, method);
      if (end > 0) {
        int length = (int) (lines.getLineNumber(end) - from + 1);
        if (length > FUNCTION_LINES) {
          found.longFunctions.merge(method.getName().toString(), length, Math::max);
        }
      }
      return super.visitMethod(method, null);
    }
  }
}
