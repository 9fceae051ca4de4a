import multipart, { ajvFilePlugin, type MultipartFile, type MultipartValue } from '@fastify/multipart';
import swagger from '@fastify/swagger';
import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

export const app = Fastify({ ajv: { plugins: [ajvFilePlugin] } }).withTypeProvider<TypeBoxTypeProvider>();
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Photos', version: '1' } } });
await app.register(multipart, { attachFieldsToBody: true, limits: { fileSize: 100_000 } });

app.post(
  '/photos',
  {
    schema: {
      consumes: ['multipart/form-data'],
      body: Type.Object({
        title: Type.Unsafe<MultipartValue<string>>(Type.Object({ value: Type.String({ maxLength: 20 }) })),
        photo: Type.Unsafe<MultipartFile>({ isFile: true }),
      }),
      response: { 200: Type.String(), 415: Type.Object({ message: Type.String() }) },
    },
  },
  async (request, reply) => {
    const { title, photo } = request.body;
    if (photo.mimetype !== 'image/png') return reply.code(415).send({ message: 'The photo has to be a PNG' });
    const bytes = await photo.toBuffer();
    reply.type('application/json');
    return JSON.stringify(`${title.value}: ${photo.filename}, ${bytes.length} bytes`);
  },
);

app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
