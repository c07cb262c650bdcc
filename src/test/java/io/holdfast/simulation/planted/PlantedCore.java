package io.holdfast.simulation.planted;

import io.holdfast.raft.core.RaftCore;
import io.holdfast.simulation.raft.RaftSimulation;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The simulation, running on code with one planted bug. */
final class PlantedCore {

  private final Method failure;
  private final ClassLoader loader;

  /**
   * Compiles the changed files in memory.
   *
   * @param simulation has a static method {@code failure}, of a seed
   */
  PlantedCore(PlantedBug bug, Class<?> simulation) {
    try {
      List<Source> changed = new ArrayList<>();
      bug.applyToSources().forEach((file, text) -> changed.add(new Source(file.toUri(), text)));
      loader = new Loader(changed.isEmpty() ? Map.of() : compile(changed));
      failure = loader.loadClass(simulation.getName()).getMethod("failure", long.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("planted core", e);
    }
  }

  @Nullable String failure(long seed) {
    try {
      return (String) failure.invoke(null, seed);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("planted core", e);
    }
  }

  /** True if a test fails. */
  boolean fails(String type, String test) {
    try {
      Class<?> tests = loader.loadClass(type);
      Constructor<?> made = tests.getDeclaredConstructor();
      made.setAccessible(true);
      Method method = tests.getDeclaredMethod(test);
      method.setAccessible(true);
      method.invoke(made.newInstance());
      return false;
    } catch (InvocationTargetException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("planted core", e);
    }
  }

  private static Map<String, byte[]> compile(List<Source> edited) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Outputs outputs = new Outputs(compiler.getStandardFileManager(null, null, null));
    StringWriter complaints = new StringWriter();
    String classPath =
        Stream.concat(
                Stream.of(RaftCore.class, RaftSimulation.class, NullMarked.class)
                    .map(type -> location(type).toString()),
                Stream.of(System.getProperty("java.class.path")))
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    boolean compiled =
        compiler
            .getTask(
                complaints,
                outputs,
                null,
                List.of("-proc:none", "--release", "17", "-cp", classPath),
                null,
                edited)
            .call();
    if (!compiled) {
      throw new IllegalStateException(complaints.toString());
    }
    Map<String, byte[]> classes = new HashMap<>();
    outputs.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static Path location(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(URI uri, String text) {
      super(uri, Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    Outputs(JavaFileManager delegate) {
      super(delegate);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(className, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }

  /** Loads everything of ours anew, so that it meets the planted classes and no others. */
  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> planted;

    Loader(Map<String, byte[]> planted) {
      super(PlantedCore.class.getClassLoader());
      this.planted = planted;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.holdfast.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      byte[] bytes = planted.containsKey(name) ? planted.get(name) : read(name);
      return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
      String resource = name.replace('.', '/') + ".class";
      try (InputStream in = getParent().getResourceAsStream(resource)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
